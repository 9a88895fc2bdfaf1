//@ args: 3 9 4 8 1
// Off-by-one loop bound: the last number is never looked at, so that the largest gap between
// neighbours is not found.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int largest_gap(const int *numbers, int count)
{
    int largest = 0;

    for (int i = 1; i < count - 1; i++) { //~ fault //~ cascade
        int gap = abs(numbers[i] - numbers[i - 1]);

        if (gap > largest)
            largest = gap;
    }
    return largest;
}

int main(int argc, char **argv)
{
    int numbers[16], count = 0, gap;

    for (int i = 1; i < argc && count < 16; i++)
        numbers[count++] = atoi(argv[i]);
    gap = largest_gap(numbers, count);
    printf("%d\n", gap);
    for (int i = 1; i < count; i++)
        assert(abs(numbers[i] - numbers[i - 1]) <= gap); //~ failure: assertion
    return 0;
}
