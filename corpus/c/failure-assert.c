// A bounded counter asserts its own invariant, in a function that is called for each step.
#include <assert.h>

struct counter {
    int value, limit;
};

static void check(const struct counter *c)
{
    assert(c->value <= c->limit); //~ failure: assertion
}

static void add(struct counter *c, int n)
{
    c->value += n;
    if (c->value > c->limit)
        c->value = c->limit + 1; //~ fault
    check(c);
}

int main(void)
{
    struct counter c = { 0, 10 };

    add(&c, 4);
    add(&c, 6);
    add(&c, 3);
    return 0;
}
