//@ error-invariants: number <= -1
//@ insensitive-invariants: true
//@ search
// Paper 4, Fig. 7 again, with an input that is not given.
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int distance(int number)
{
    int side, far;

    far = number; //~ error-invariants: number <= -1 && far <= -1 //~ insensitive-invariants: far <= -1
    if (number == 0)
        return 0;
    if (number < 0) {
        side = -1; //~ error-invariants: far <= -1 && side == -1
        printf("below\n");
    } else {
        side = 1;
        printf("above\n");
    }
    if (side == -1) { //~ error-invariants: frame far; far <= -1
        side = number * -1; //~ fault
    } else {
        far = number;
    }
    assert(far >= 0); //~ failure: assertion
    return far;
}

int main(void)
{
    distance(__VERIFIER_nondet_int());
    return 0;
}
