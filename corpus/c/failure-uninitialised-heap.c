// A field of a structure on the heap is never set; reading it decides a branch.
#include <stdlib.h>

struct job {
    int id;
    int priority;
    int done;
};

static struct job *new_job(int id)
{
    struct job *j = malloc(sizeof *j); //~ fault //~ relevance: enforcing

    j->id = id; //~ relevance: irrelevant
    j->priority = 0; //~ relevance: irrelevant
    return j; //~ relevance: enforcing
}

int main(void)
{
    struct job *jobs[3];
    int open = 0; //~ relevance: irrelevant

    for (int i = 0; i < 3; i++) //~ relevance: enforcing, enforcing
        jobs[i] = new_job(i); //~ relevance: enforcing
    jobs[0]->done = 1; //~ relevance: enforcing
    for (int i = 0; i < 3; i++) //~ relevance: enforcing, enforcing
        if (!jobs[i]->done) //~ failure: uninitialised
            open++;
    for (int i = 0; i < 3; i++)
        free(jobs[i]);
    return open == 2 ? 0 : 1;
}
