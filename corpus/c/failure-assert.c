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
    c->value += n; //~ relevance: enforcing
    if (c->value > c->limit)
        c->value = c->limit + 1; //~ fault //~ relevance: enforcing
    check(c); //~ relevance: enforcing
}

int main(void)
{
    struct counter c = { 0, 10 }; //~ relevance: enforcing

    add(&c, 4); //~ relevance: enforcing, enforcing
    add(&c, 6); //~ relevance: enforcing, enforcing
    add(&c, 3); //~ relevance: enforcing, enforcing
    return 0;
}
