// Ways to climb stairs by one or two steps; the empty staircase has one way, not none.
#include <assert.h>

static int ways(int stairs)
{
    if (stairs < 0)
        return 0;
    if (stairs == 0)
        return 0; //~ fault //~ relevance: enforcing
    if (stairs == 1)
        return 1; //~ relevance: enforcing
    return ways(stairs - 1) + ways(stairs - 2); //~ relevance: enforcing, enforcing, enforcing
}

int main(void)
{
    int six = ways(6); //~ relevance: enforcing, enforcing

    assert(ways(1) == 1); //~ relevance: enforcing
    assert(six == 13); //~ failure: assertion
    return 0;
}
