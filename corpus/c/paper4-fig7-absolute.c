//@ args: -1
// Paper 4, Fig. 7: the distance from zero. Its value is assigned to the wrong variable.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int distance(int number)
{
    int side, far;

    far = number; //~ relevance: enforcing
    if (number == 0)
        return 0;
    if (number < 0) {
        side = -1; //~ relevance: enforcing
        printf("below\n");
    } else {
        side = 1;
        printf("above\n");
    }
    if (side == -1) {
        side = number * -1; //~ fault //~ relevance: irrelevant
    } else {
        far = number;
    }
    assert(far >= 0); //~ failure: assertion
    return far;
}

int main(int argc, char **argv)
{
    distance(argc > 1 ? atoi(argv[1]) : 0); //~ relevance: enforcing, enforcing
    return 0;
}
