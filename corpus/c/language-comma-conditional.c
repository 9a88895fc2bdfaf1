// Comma and conditional operators. The nested choice picks the middle of three numbers wrongly.
#include <assert.h>

static int middle(int a, int b, int c)
{
    int result;

    result = a < b ? (b < c ? b : a < c ? a : c) : (a < c ? a : b < c ? c : b); //~ fault
    //~^ relevance: enforcing
    return result; //~ relevance: enforcing
}

int main(void)
{
    int i, j, swaps = 0; //~ relevance: enforcing

    for (i = 0, j = 9; i < j; i++, j--) //~ relevance: enforcing, enforcing, enforcing, enforcing
        swaps += (i & 1) ? 1 : 0, swaps += 1; //~ relevance: enforcing, enforcing
    assert((i = 5, i + 2) == 7); //~ relevance: enforcing
    assert(swaps == 7);
    assert(middle(1, 2, 3) == 2 && middle(5, 4, 3) == 4);
    //~^ relevance: enforcing, enforcing, enforcing, enforcing, enforcing, enforcing
    assert(middle(1, 3, 2) == 2); //~ failure: assertion //~ relevance: enforcing, enforcing, enforcing
    return 0;
}
