//@ error-invariants: reading < 42
//@ insensitive-invariants: true
//@ search
// Paper 4, Fig. 1 again, with an input that is not given.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void adjust(int reading)
{
    int gain = 1;
    int excess = reading - 42; //~ error-invariants: excess < 0

    if (excess < 0) {
        gain = 0; //~ fault //~ error-invariants: gain == 0 //~ insensitive-invariants: gain == 0
    }
    assert(gain != 0); //~ failure: assertion
}

int main(void)
{
    adjust(__VERIFIER_nondet_int());
    return 0;
}
