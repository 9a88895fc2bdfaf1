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
    int lowest = INT_MAX; //~ relevance: enforcing
    int samples[3] = { 12, INT_MIN, 40 }; //~ relevance: enforcing
    int direction = 1; //~ relevance: irrelevant

    for (int i = 0; i < 3; i++) //~ relevance: enforcing, enforcing
        if (samples[i] < lowest) //~ fault
            lowest = samples[i]; //~ relevance: enforcing
    if (lowest < 0)
        direction = -1; //~ relevance: enforcing
    printf("%d\n", scale(lowest, direction)); //~ relevance: enforcing, enforcing
    return 0;
}
