//@ args: 0 -1
// Paper 4, Fig. 5: a lock is kept if no case applies. The last case should be for all the rest.
#include <assert.h>
#include <stdlib.h>

static int locked;

static void work(int device, int command)
{
    int result;

    result = 0; //~ relevance: irrelevant
    locked = 1; //~ relevance: enforcing
    if (device == 0) {
        if (command == 0)
            result = 1;
    }
    if (command != 0) {
        result = command; //~ relevance: enforcing
    }
    if (device != 0) {
        result = 2;
        locked = 0;
    } else if (result > 0) { //~ fault
        result = 3;
        locked = 0;
    }
    assert(locked == 0); //~ failure: assertion
}

int main(int argc, char **argv)
{
    if (argc == 3)
        work(atoi(argv[1]), atoi(argv[2])); //~ relevance: enforcing, enforcing, enforcing, enforcing
    return 0;
}
