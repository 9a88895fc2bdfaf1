// The right side of && and || runs only if it is needed: here it must not run for spent tickets.
#include <assert.h>

static int used;

static int use(int limit)
{
    used++; //~ relevance: enforcing
    return used <= limit; //~ relevance: enforcing
}

static int enter(int tickets, int limit)
{
    return use(limit) && tickets > 0; //~ fault //~ relevance: enforcing, enforcing
}

int main(void)
{
    int zero = 0; //~ relevance: enforcing
    int safe = zero != 0 && 10 / zero > 1; //~ relevance: enforcing
    int also = zero == 0 || 10 / zero > 1; //~ relevance: enforcing

    assert(!safe && also);
    assert(enter(1, 2)); //~ relevance: enforcing, enforcing
    assert(!enter(0, 2)); //~ relevance: enforcing, enforcing
    assert(enter(1, 2)); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
