//@ args: -v "two words" --level=7 -- -x
// Options of the command line. What follows `--` is an operand even if it looks like an option.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int verbose = 0, level = 0, operands = 0, closed = 0; //~ relevance: enforcing, enforcing, enforcing

    for (int i = 1; i < argc; i++) { //~ relevance: enforcing, enforcing
        if (!closed && strcmp(argv[i], "--") == 0) //~ relevance: enforcing, enforcing
            closed = 0; //~ fault //~ relevance: enforcing
        else if (!closed && strcmp(argv[i], "-v") == 0) //~ relevance: enforcing, enforcing
            verbose++; //~ relevance: enforcing
        else if (!closed && strncmp(argv[i], "--level=", 8) == 0)
    //~^ relevance: enforcing, enforcing, enforcing
            level = atoi(argv[i] + 8); //~ relevance: enforcing, enforcing
        else if (closed || argv[i][0] != '-')
            operands++; //~ relevance: enforcing
    }
    assert(argv[argc] == NULL && argc == 6);
    assert(verbose == 1 && level == 7);
    assert(operands == 2); //~ failure: assertion
    return 0;
}
