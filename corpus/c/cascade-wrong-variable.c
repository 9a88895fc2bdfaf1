// Wrong variable: three jars are sorted by weight. The last exchange stores the wrong one.
#include <assert.h>
#include <stdio.h>

static void sort(int *small, int *middle, int *large)
{
    int kept;

    if (*small > *middle) {
        kept = *small;
        *small = *middle;
        *middle = kept;
    }
    if (*middle > *large) {
        kept = *middle;
        *middle = *large;
        *large = kept;
    }
    if (*small > *middle) {
        kept = *small;
        *small = *middle;
        *middle = *large; //~ fault //~ cascade
    }
}

int main(void)
{
    int first = 31, second = 12, third = 7;
    int total = first + second + third;

    sort(&first, &second, &third);
    printf("%d %d %d\n", first, second, third);
    assert(first + second + third == total); //~ failure: assertion
    return 0;
}
