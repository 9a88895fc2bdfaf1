// Where a binary search looks next.
//
// What is wrong: the sum of two large numbers does not fit into an int, though their mean does.
// Try: whydunit examples/midpoint.c
// The program is not run with given inputs: they are searched for.
#include <assert.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int midpoint(int low, int high)
{
    return (low + high) / 2;
}

int main(void)
{
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();

    __VERIFIER_assume(0 <= low && low <= high);
    int middle = midpoint(low, high);
    assert(low <= middle && middle <= high);
    return 0;
}
