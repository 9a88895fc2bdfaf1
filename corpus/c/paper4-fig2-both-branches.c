//@ args: 41
// Paper 4, Fig. 2: the error happens whichever branch is taken, so the branch does not matter.
#include <assert.h>
#include <stdlib.h>

static void adjust(int reading)
{
    int gain = 0; //~ fault //~ relevance: enforcing
    int excess = reading - 42; //~ relevance: enforcing

    if (excess < 0) {
        excess = 0; //~ relevance: irrelevant
    }
    assert(gain != 0); //~ failure: assertion
}

int main(int argc, char **argv)
{
    adjust(argc > 1 ? atoi(argv[1]) : 50); //~ relevance: enforcing, enforcing
    return 0;
}
