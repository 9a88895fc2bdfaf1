// The middle of two large indices, computed by their sum.
#include <limits.h>
#include <stdio.h>

static int first_not_below(int wanted)
{
    int low = 0, high = INT_MAX;

    while (low < high) {
        int middle = (low + high) / 2; //~ fault
        //~^ failure: signed-overflow
        if (middle < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int main(void)
{
    printf("%d\n", first_not_below(1000));
    printf("%d\n", first_not_below(1500000000));
    return 0;
}
