//@ args: 89
//@ expect: bug-grades.out
// A mark from points. The limit of the best mark is off by one.
#include <stdio.h>
#include <stdlib.h>

static char mark(int points)
{
    char result = 'F'; //~ relevance: irrelevant

    if (points >= 50)
        result = 'D'; //~ relevance: irrelevant
    if (points >= 65)
        result = 'C'; //~ relevance: irrelevant
    if (points >= 80)
        result = 'B'; //~ relevance: irrelevant
    if (points > 88) //~ fault
        result = 'A'; //~ relevance: enforcing
    return result; //~ relevance: enforcing
}

int main(int argc, char **argv)
{
    int points = argc > 1 ? atoi(argv[1]) : 0; //~ relevance: enforcing, enforcing

    printf("points %d, ", points);
    printf("mark %c\n", mark(points)); //~ failure: wrong-output //~ relevance: enforcing
    return 0;
}
