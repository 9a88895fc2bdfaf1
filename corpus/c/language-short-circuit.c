// The right side of && and || runs only if it is needed: here it must not run for spent tickets.
#include <assert.h>

static int used;

static int use(int limit)
{
    used++;
    return used <= limit;
}

static int enter(int tickets, int limit)
{
    return use(limit) && tickets > 0; //~ fault
}

int main(void)
{
    int zero = 0;
    int safe = zero != 0 && 10 / zero > 1;
    int also = zero == 0 || 10 / zero > 1;

    assert(!safe && also);
    assert(enter(1, 2));
    assert(!enter(0, 2));
    assert(enter(1, 2)); //~ failure: assertion
    return 0;
}
