// The smallest int marks a sample that is missing. It is used, and divided by -1 it does not fit.
#include <limits.h>
#include <stdio.h>

static int scale(int value, int by)
{
    if (by == 0)
        return 0;
    return value / by; //~ failure: signed-overflow
}

int main(void)
{
    int lowest = INT_MAX;
    int samples[3] = { 12, INT_MIN, 40 };
    int direction = 1;

    for (int i = 0; i < 3; i++)
        if (samples[i] < lowest) //~ fault
            lowest = samples[i];
    if (lowest < 0)
        direction = -1;
    printf("%d\n", scale(lowest, direction));
    return 0;
}
