//@ args: 1900
//@ expect: bug-leap-year.out
// Prints the length of a year. The rule for centuries is turned round.
#include <stdio.h>
#include <stdlib.h>

static int is_leap(int year)
{
    int leap = year % 4 == 0; //~ relevance: irrelevant

    if (year % 100 == 0)
        leap = year % 400 != 0; //~ fault //~ relevance: enforcing
    return leap; //~ relevance: enforcing
}

int main(int argc, char **argv)
{
    int year = argc > 1 ? atoi(argv[1]) : 2000; //~ relevance: enforcing, enforcing

    printf("year %d\n", year);
    printf("%d days\n", is_leap(year) ? 366 : 365); //~ failure: wrong-output //~ relevance: enforcing
    return 0;
}
