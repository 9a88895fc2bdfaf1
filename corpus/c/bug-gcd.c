//@ args: 48 36
// Reduces a fraction. The divisor is searched with the wrong remainder.
#include <assert.h>
#include <stdlib.h>

static int gcd(int a, int b)
{
    while (b != 0) {
        int rest = a % b;

        a = b;
        b = rest / 2; //~ fault
    }
    return a;
}

int main(int argc, char **argv)
{
    int over = argc > 1 ? atoi(argv[1]) : 1;
    int under = argc > 2 ? atoi(argv[2]) : 1;
    int divisor = gcd(over, under);

    over /= divisor;
    under /= divisor;
    assert(over == 4 && under == 3); //~ failure: assertion
    return 0;
}
