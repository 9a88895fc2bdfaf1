//@ search
// A door as a state machine: it must not open while it moves. Stopping forgets to clear the motor.
extern void __VERIFIER_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

enum state { CLOSED, OPEN, MOVING };

int main(void)
{
    enum state state = CLOSED; //~ relevance: enforcing
    int motor = 0; //~ relevance: irrelevant

    for (int round = 0; round < 4; round++) { //~ relevance: enforcing, enforcing
        _Bool button = __VERIFIER_nondet_bool(); //~ relevance: enforcing

        if (state == CLOSED && button) {
            state = MOVING; //~ relevance: enforcing
            motor = 1; //~ relevance: enforcing
        } else if (state == MOVING && !button) {
            state = OPEN; //~ fault //~ relevance: enforcing
        } else if (state == OPEN && button) {
            state = CLOSED;
        }
        if (state == OPEN && motor)
            __VERIFIER_error(); //~ failure: reachable-error
    }
    return 0;
}
