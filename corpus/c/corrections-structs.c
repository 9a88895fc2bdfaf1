/* Small structures travel in registers: what is passed, returned and assigned is one value, which could be another. */
#include <assert.h>

struct pair {
    int low, high;
};

struct box {
    int left, right, top, bottom;
};

static struct pair around(int x)
{
    struct pair p = { x - 1, x }; //~ fault //~ corrections: alone
    return p; //~ corrections: alone
}

static struct box moved(struct box b, int by)
{
    b.top += by; //~ corrections
    b.bottom += by; //~ corrections: alone
    return b; //~ corrections: alone
}

int main(void)
{
    struct pair p = around(4); //~ corrections: alone
    struct box b = { 0, 0, 1, p.high }; //~ corrections: alone
    b = moved(b, 2); //~ corrections: alone
    assert(b.top == 3);
    assert(b.bottom == 7); //~ failure: assertion
    return 0;
}
