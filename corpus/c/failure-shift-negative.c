// Moves a pattern to a column; columns left of the middle ask for a shift by less than nothing.
#include <stdio.h>

static unsigned place(unsigned pattern, int column)
{
    int distance = column - 8; //~ fault

    return pattern << distance; //~ failure: bad-shift
}

int main(void)
{
    printf("%u\n", place(3, 9));
    printf("%u\n", place(3, 5));
    return 0;
}
