// How long a stay is, and how many half hours of its last hour have begun.
#include <stdio.h>
#include <stdlib.h>

static int minutes_between(int from, int to)
{
    int minutes = to - from;

    if (minutes < 0)
        minutes += 24 * 60;
    return minutes;
}

static int half_hours(int minutes)
{
    return (minutes + 29) / 30;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        printf("usage: clock HOUR MINUTE HOUR MINUTE\n");
        return 2;
    }

    int from = atoi(argv[1]) * 60 + atoi(argv[2]);
    int to = atoi(argv[3]) * 60 + atoi(argv[4]);

    printf("stay: %d minutes\n", minutes_between(from, to));
    printf("half hours: %d\n", half_hours(to % 60));
    return 0;
}
