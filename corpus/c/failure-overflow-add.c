// The middle of two large indices, computed by their sum.
#include <limits.h>
#include <stdio.h>

static int first_not_below(int wanted)
{
    int low = 0, high = INT_MAX; //~ relevance: enforcing, enforcing

    while (low < high) {
        int middle = (low + high) / 2; //~ fault //~ relevance: enforcing
        //~^ failure: signed-overflow
        if (middle < wanted)
            low = middle + 1; //~ relevance: enforcing
        else
            high = middle; //~ relevance: enforcing
    }
    return low; //~ relevance: irrelevant
}

int main(void)
{
    printf("%d\n", first_not_below(1000)); //~ relevance: enforcing
    printf("%d\n", first_not_below(1500000000)); //~ relevance: enforcing
    return 0;
}
