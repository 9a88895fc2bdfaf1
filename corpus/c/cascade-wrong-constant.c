//@ args: 1971
// Wrong constant: whole days between two New Year's Eves. A leap year is given 365 days.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_until(int from, int to)
{
    int days = 0;

    for (int year = from; year < to; year++) {
        int length = 365;

        if (is_leap(year))
            length = 365; //~ fault //~ cascade
        days += length;
    }
    return days;
}

int main(int argc, char **argv)
{
    int from = argc > 1 ? atoi(argv[1]) : 1970;
    int days = days_until(from, from + 4);

    printf("%d days\n", days);
    assert(days == 4 * 365 + 1); //~ failure: assertion
    return 0;
}
