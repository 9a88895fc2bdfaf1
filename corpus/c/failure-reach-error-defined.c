//@ search
// The same error function, defined in the file. The third number is compared with the second only.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    assert(0);
}

void __VERIFIER_assert(int condition)
{
    if (!condition) {
    ERROR:
        reach_error(); //~ failure: reachable-error
    }
}

int main(void)
{
    int a = __VERIFIER_nondet_int(); //~ relevance: enforcing
    int b = __VERIFIER_nondet_int(); //~ relevance: enforcing
    int c = __VERIFIER_nondet_int(); //~ relevance: enforcing
    int largest = a; //~ relevance: enforcing

    if (b > largest)
        largest = b;
    if (c > b) //~ fault
        largest = c; //~ relevance: enforcing
    __VERIFIER_assert(largest >= a && largest >= b && largest >= c); //~ relevance: enforcing
    return 0;
}
