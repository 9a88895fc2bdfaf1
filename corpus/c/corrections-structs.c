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
    struct pair p = { x - 1, x }; //~ fault //~ changes
    return p; //~ changes
}

static struct box moved(struct box b, int by)
{
    b.top += by;
    b.bottom += by; //~ changes
    return b;
}

int main(void)
{
    struct pair p = around(4); //~ changes
    struct box b = { 0, 0, 1, p.high }; //~ changes
    b = moved(b, 2);
    assert(b.top == 3);
    assert(b.bottom == 7); //~ failure: assertion
    return 0;
}
