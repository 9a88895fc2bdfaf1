//@ args: 89
//@ expect: bug-grades.out
// A mark from points. The limit of the best mark is off by one.
#include <stdio.h>
#include <stdlib.h>

static char mark(int points)
{
    char result = 'F';

    if (points >= 50)
        result = 'D';
    if (points >= 65)
        result = 'C';
    if (points >= 80)
        result = 'B';
    if (points > 88) //~ fault
        result = 'A';
    return result;
}

int main(int argc, char **argv)
{
    int points = argc > 1 ? atoi(argv[1]) : 0;

    printf("points %d, ", points);
    printf("mark %c\n", mark(points)); //~ failure: wrong-output
    return 0;
}
