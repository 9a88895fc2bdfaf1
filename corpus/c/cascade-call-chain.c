//@ args: 86399
// Through a chain of calls: the time of day is passed through four functions; the second one rounds it up,
// so that a second before midnight it is 24 o'clock.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int checked_hour(int hour)
{
    assert(hour < 24); //~ failure: assertion
    return hour;
}

static int hour_of(int minutes)
{
    return checked_hour(minutes / 60);
}

static int minutes_of(int seconds)
{
    int minutes = (seconds + 30) / 60; //~ fault //~ cascade

    return minutes;
}

static int hour_at(int seconds)
{
    return hour_of(minutes_of(seconds));
}

static void show(int seconds)
{
    int hour = hour_at(seconds);

    printf("it is %d o'clock\n", hour);
}

int main(int argc, char **argv)
{
    show(argc > 1 ? atoi(argv[1]) : 0);
    return 0;
}
