/* The table is read at the wrong place. The right pointer is in the program, although the failing run has never read it. */
//@ expect: corrections-pointer-table.out
#include <stdio.h>

static const char *const colours[] = {"red", "green", "blue"};

int main(void)
{
    int number = 1; //~ changes
    const char *name = colours[number]; //~ fault

    printf("%s\n", name); //~ failure: wrong-output //~ changes
    return 0;
}
