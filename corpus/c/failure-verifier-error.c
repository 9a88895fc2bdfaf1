//@ search
// A door as a state machine: it must not open while it moves. Stopping forgets to clear the motor.
extern void __VERIFIER_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

enum state { CLOSED, OPEN, MOVING };

int main(void)
{
    enum state state = CLOSED;
    int motor = 0;

    for (int round = 0; round < 4; round++) {
        _Bool button = __VERIFIER_nondet_bool();

        if (state == CLOSED && button) {
            state = MOVING;
            motor = 1;
        } else if (state == MOVING && !button) {
            state = OPEN; //~ fault
        } else if (state == OPEN && button) {
            state = CLOSED;
        }
        if (state == OPEN && motor)
            __VERIFIER_error(); //~ failure: reachable-error
    }
    return 0;
}
