//@ cflags: -std=gnu89
// Definitions as they were before prototypes, and the int that nobody wrote. The rate is not halved.
#include <assert.h>

static rate = 8;

fee(amount, percent)
int amount;
char percent;
{
    register int result;

    result = amount * percent / 100;
    return result;
}

static short halve(s)
short s;
{
    s = s - 2; //~ fault
    return s;
}

main()
{
    int reduced, later;

    later = twice(21);
    assert(later == 42);
    reduced = halve(rate);
    assert(fee(500, reduced) == 20); //~ failure: assertion
    return 0;
}

twice(n)
{
    return n + n;
}
