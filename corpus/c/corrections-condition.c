/* A wrong condition. What helps is on the other way, which the failing run did not take: it has to be run. */
//@ args: 40
#include <assert.h>
#include <stdlib.h>

static int postage(int grams)
{
    int cents;

    if (grams < 20) { //~ fault //~ changes
        cents = 90;
    } else {
        cents = 80; //~ changes
        cents += 80; //~ changes
    }
    return cents; //~ changes
}

int main(int argc, char **argv)
{
    int grams = argc > 1 ? atoi(argv[1]) : 0; //~ changes

    assert(postage(grams) == 90); //~ failure: assertion //~ changes
    return 0;
}
