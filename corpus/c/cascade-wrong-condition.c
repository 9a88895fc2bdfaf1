//@ args: 12
// Wrong branch condition: children below 14 pay half, children below 4 nothing. The test for the small
// ones asks for more than 4 years.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum fare { FREE, HALF, FULL };

static enum fare fare_of(int age)
{
    enum fare fare = FULL;

    if (age < 14)
        fare = HALF;
    if (age > 4) //~ fault //~ cascade
        fare = FREE;
    if (age >= 14)
        fare = FULL;
    return fare;
}

static int price(enum fare fare)
{
    switch (fare) {
    case FREE:
        return 0;
    case HALF:
        return 120;
    default:
        return 240;
    }
}

int main(int argc, char **argv)
{
    int age = argc > 1 ? atoi(argv[1]) : 30;
    int cents = price(fare_of(age));

    printf("%d\n", cents);
    assert(cents == 120); //~ failure: assertion
    return 0;
}
