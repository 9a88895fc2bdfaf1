// A machine that sells drinks. Whatever the customers press, it must not pay out more than it took.
//
// What is wrong: after a sale the credit stays as it was, so it is paid back.
// Try: whydunit examples/vending.c
// The machine is not run with given inputs: they are searched for.
#include <assert.h>

int __VERIFIER_nondet_int(void);

enum button { COIN, DRINK, MONEY_BACK };

int main(void)
{
    int taken = 0, credit = 0, sold = 0, price = 120;

    for (int presses = 0; presses < 6; presses++) {
        switch (__VERIFIER_nondet_int()) {
        case COIN:
            taken += 50;
            credit += 50;
            break;
        case DRINK:
            if (credit >= price)
                sold++;
            break;
        case MONEY_BACK:
            taken -= credit;
            credit = 0;
            break;
        default:
            break;
        }
        assert(taken >= sold * price);
    }
    return 0;
}
