// Ways to climb stairs by one or two steps; the empty staircase has one way, not none.
#include <assert.h>

static int ways(int stairs)
{
    if (stairs < 0)
        return 0;
    if (stairs == 0)
        return 0; //~ fault
    if (stairs == 1)
        return 1;
    return ways(stairs - 1) + ways(stairs - 2);
}

int main(void)
{
    int six = ways(6);

    assert(ways(1) == 1);
    assert(six == 13); //~ failure: assertion
    return 0;
}
