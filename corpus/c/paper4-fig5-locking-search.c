//@ error-invariants: device == 0 && command == -1
//@ insensitive-invariants: true
//@ search
// Paper 4, Fig. 5 again, with inputs that are not given.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int locked;

int main(void)
{
    int device = __VERIFIER_nondet_int(); //~ relevance: enforcing
    int command = __VERIFIER_nondet_int(); //~ relevance: enforcing
    int result;

    result = 0; //~ relevance: irrelevant
    locked = 1; //~ relevance: enforcing //~ error-invariants: device == 0 && command == -1 && locked == 1 //~ insensitive-invariants: locked == 1
    if (device == 0) {
        if (command == 0)
            result = 1;
    }
    if (command != 0) {
        result = command; //~ relevance: enforcing //~ error-invariants: device == 0 && locked == 1 && result == -1
    }
    if (device != 0) {
        result = 2;
        locked = 0;
    } else if (result > 0) { //~ fault //~ error-invariants: frame locked; locked == 1
        result = 3;
        locked = 0;
    }
    assert(locked == 0); //~ failure: assertion
    return 0;
}
