// A large struct is passed and returned on the stack: the callee changes its own copy.
#include <assert.h>

struct report {
    int values[12];
    int count;
    long sum;
};

static struct report with(struct report r, int value)
{
    r.values[r.count] = value;
    r.count++;
    r.sum += r.count; //~ fault
    return r;
}

int main(void)
{
    struct report empty = { { 0 }, 0, 0 };
    struct report one = with(empty, 40);
    struct report two = with(one, 2);

    assert(empty.count == 0 && empty.values[0] == 0);
    assert(one.count == 1 && two.values[1] == 2);
    assert(two.sum == 42); //~ failure: assertion
    return 0;
}
