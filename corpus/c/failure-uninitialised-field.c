// Whether a job is done was never said. The pointer through which it is asked is relevant: with NULL,
// it is another failure.
#include <stdlib.h>

struct job {
    int id, done;
};

int main(void)
{
    struct job *first = malloc(sizeof *first); //~ fault //~ relevance: enforcing
    struct job *current;

    first->id = 1; //~ relevance: irrelevant
    current = first; //~ relevance: enforcing
    if (current->done) //~ failure: uninitialised
        return 1;
    return 0;
}
