// Functions of the library compute numbers from texts. No statement has a part in what is computed from the arguments of the
// program; but a text that the program has written can be changed.
//@ args: 7
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char digits[3];

int main(int argc, char **argv)
{
    digits[0] = '4';
    digits[1] = '2'; //~ fault //~ changes

    int first = atoi(argv[1]); //~ changes
    int written = atoi(digits); //~ changes

    assert(strlen(argv[1]) == 1);
    assert(first + written == 47); //~ failure: assertion
    return 0;
}
