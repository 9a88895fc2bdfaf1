//@ max-steps: 100000
// Takes ten samples of a range; the step of a short range is rounded to nothing.
#include <stdio.h>

static int samples(int low, int high)
{
    int step = (high - low) / 10; //~ fault
    int count = 0;

    for (int x = low; x < high; x += step) count++; //~ failure: step-limit
    return count;
}

int main(void)
{
    printf("%d\n", samples(0, 100));
    printf("%d\n", samples(20, 27));
    return 0;
}
