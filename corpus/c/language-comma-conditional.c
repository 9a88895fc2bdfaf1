// Comma and conditional operators. The nested choice picks the middle of three numbers wrongly.
#include <assert.h>

static int middle(int a, int b, int c)
{
    int result;

    result = a < b ? (b < c ? b : a < c ? a : c) : (a < c ? a : b < c ? c : b); //~ fault
    return result;
}

int main(void)
{
    int i, j, swaps = 0;

    for (i = 0, j = 9; i < j; i++, j--)
        swaps += (i & 1) ? 1 : 0, swaps += 1;
    assert((i = 5, i + 2) == 7);
    assert(swaps == 7);
    assert(middle(1, 2, 3) == 2 && middle(5, 4, 3) == 4);
    assert(middle(1, 3, 2) == 2); //~ failure: assertion
    return 0;
}
