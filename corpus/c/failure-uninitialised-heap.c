// A field of a structure on the heap is never set; reading it decides a branch.
#include <stdlib.h>

struct job {
    int id;
    int priority;
    int done;
};

static struct job *new_job(int id)
{
    struct job *j = malloc(sizeof *j); //~ fault

    j->id = id;
    j->priority = 0;
    return j;
}

int main(void)
{
    struct job *jobs[3];
    int open = 0;

    for (int i = 0; i < 3; i++)
        jobs[i] = new_job(i);
    jobs[0]->done = 1;
    for (int i = 0; i < 3; i++)
        if (!jobs[i]->done) //~ failure: uninitialised
            open++;
    for (int i = 0; i < 3; i++)
        free(jobs[i]);
    return open == 2 ? 0 : 1;
}
