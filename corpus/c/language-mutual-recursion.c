// Even and odd call each other. The base case of one of them is copied from the other.
#include <assert.h>

static int is_odd(unsigned n);

static int is_even(unsigned n)
{
    if (n == 0)
        return 1; //~ relevance: enforcing
    return is_odd(n - 1); //~ relevance: enforcing, enforcing
}

static int is_odd(unsigned n)
{
    if (n == 0)
        return 1; //~ fault //~ relevance: enforcing
    return is_even(n - 1); //~ relevance: enforcing, enforcing
}

int main(void)
{
    assert(is_even(8)); //~ relevance: enforcing
    assert(!is_even(7)); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
