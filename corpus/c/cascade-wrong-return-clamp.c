//@ args: 250
// Wrong return value: a level is kept between two bounds. What is above the upper one falls to the lower
// one.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int between(int low, int value, int high)
{
    if (value < low)
        return low;
    if (value > high)
        return low; //~ fault //~ cascade
    return value;
}

static int brightness(int wanted)
{
    int level = between(10, wanted, 200);

    return level * 100 / 200;
}

int main(int argc, char **argv)
{
    int wanted = argc > 1 ? atoi(argv[1]) : 100;
    int percent = brightness(wanted);

    printf("%d%%\n", percent);
    if (wanted >= 200)
        assert(percent == 100); //~ failure: assertion
    return 0;
}
