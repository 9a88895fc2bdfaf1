/* An assertion is not reached if the program ends before, so what leads to that end is a correction, too. */
//@ args: 9
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 0; //~ corrections: alone
    int room = 8; //~ corrections: alone
    int used;

    if (size > 9) //~ fault //~ corrections: alone
        return 1;
    used = size + 1; //~ corrections: alone
    assert(used <= room); //~ failure: assertion
    return 0;
}
