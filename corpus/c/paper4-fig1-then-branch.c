//@ args: 41
// Paper 4, Fig. 1: the error needs the branch, and so all that decides it.
#include <assert.h>
#include <stdlib.h>

static void adjust(int reading)
{
    int gain = 1; //~ relevance: irrelevant
    int excess = reading - 42; //~ relevance: enforcing

    if (excess < 0) {
        gain = 0; //~ fault //~ relevance: enforcing
    }
    assert(gain != 0); //~ failure: assertion
}

int main(int argc, char **argv)
{
    adjust(argc > 1 ? atoi(argv[1]) : 50); //~ relevance: enforcing, enforcing
    return 0;
}
