//@ args: 48 36
// Reduces a fraction. The divisor is searched with the wrong remainder.
#include <assert.h>
#include <stdlib.h>

static int gcd(int a, int b)
{
    while (b != 0) {
        int rest = a % b; //~ relevance: enforcing

        a = b; //~ relevance: enforcing
        b = rest / 2; //~ fault //~ relevance: enforcing
    }
    return a; //~ relevance: enforcing
}

int main(int argc, char **argv)
{
    int over = argc > 1 ? atoi(argv[1]) : 1; //~ relevance: enforcing, enforcing
    int under = argc > 2 ? atoi(argv[2]) : 1; //~ relevance: enforcing, enforcing
    int divisor = gcd(over, under); //~ relevance: enforcing, enforcing, enforcing

    over /= divisor; //~ relevance: enforcing
    under /= divisor; //~ relevance: irrelevant
    assert(over == 4 && under == 3); //~ failure: assertion
    return 0;
}
