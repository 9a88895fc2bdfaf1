/* An assertion is not reached if the program ends before, so what leads to that end is a correction, too. */
//@ args: 9
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 0; //~ changes
    int room = 8; //~ changes
    int used;

    if (size > 9) //~ fault //~ changes
        return 1;
    used = size + 1; //~ changes
    assert(used <= room); //~ failure: assertion
    return 0;
}
