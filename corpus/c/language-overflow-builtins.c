// Saturating arithmetic with the overflow builtins; a product that does not fit keeps its low bits.
#include <assert.h>
#include <limits.h>

static int saturating_add(int a, int b)
{
    int sum;

    if (__builtin_add_overflow(a, b, &sum)) //~ relevance: irrelevant
        sum = a < 0 ? INT_MIN : INT_MAX; //~ relevance: enforcing
    return sum; //~ relevance: enforcing
}

static int saturating_multiply(int a, int b)
{
    int product;

    if (__builtin_mul_overflow(a, b, &product)) //~ relevance: enforcing
        return product; //~ fault //~ relevance: enforcing
    return product; //~ relevance: enforcing
}

int main(void)
{
    unsigned short narrow;

    assert(saturating_add(INT_MIN, -1) == INT_MIN); //~ relevance: enforcing, enforcing
    assert(__builtin_sub_overflow(3, 5, &narrow) && narrow == 65534); //~ relevance: enforcing
    assert(saturating_multiply(-6, 7) == -42); //~ relevance: enforcing, enforcing
    assert(saturating_multiply(70000, 70000) == INT_MAX); //~ failure: assertion
    //~^ relevance: enforcing, enforcing
    return 0;
}
