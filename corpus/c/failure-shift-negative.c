// Moves a pattern to a column; columns left of the middle ask for a shift by less than nothing.
#include <stdio.h>

static unsigned place(unsigned pattern, int column)
{
    int distance = column - 8; //~ fault //~ relevance: enforcing

    return pattern << distance; //~ failure: bad-shift //~ relevance: irrelevant
}

int main(void)
{
    printf("%u\n", place(3, 9)); //~ relevance: enforcing
    printf("%u\n", place(3, 5)); //~ relevance: enforcing
    return 0;
}
