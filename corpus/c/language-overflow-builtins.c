// Saturating arithmetic with the overflow builtins; a product that does not fit keeps its low bits.
#include <assert.h>
#include <limits.h>

static int saturating_add(int a, int b)
{
    int sum;

    if (__builtin_add_overflow(a, b, &sum))
        sum = a < 0 ? INT_MIN : INT_MAX;
    return sum;
}

static int saturating_multiply(int a, int b)
{
    int product;

    if (__builtin_mul_overflow(a, b, &product))
        return product; //~ fault
    return product;
}

int main(void)
{
    unsigned short narrow;

    assert(saturating_add(INT_MIN, -1) == INT_MIN);
    assert(__builtin_sub_overflow(3, 5, &narrow) && narrow == 65534);
    assert(saturating_multiply(-6, 7) == -42);
    assert(saturating_multiply(70000, 70000) == INT_MAX); //~ failure: assertion
    return 0;
}
