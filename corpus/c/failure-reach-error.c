//@ search
// A withdrawal is checked against the balance before the fee is added.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void)
{
    int balance = 5; //~ relevance: enforcing
    int fee = 1; //~ relevance: enforcing
    int amount = __VERIFIER_nondet_int(); //~ relevance: enforcing

    __VERIFIER_assume(amount >= 0 && amount <= 100);
    if (amount <= balance) //~ fault
        balance = balance - amount - fee; //~ relevance: enforcing
    if (balance < 0)
        reach_error(); //~ failure: reachable-error
    return 0;
}
