//@ search
// Sums the numbers below n, where n itself should be included.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned sum = 0;

    __VERIFIER_assume(n >= 1 && n <= 4);
    for (unsigned i = 1; i < n; i++) //~ fault
        sum += i;
    if (sum != n * (n + 1) / 2)
        reach_error(); //~ failure: reachable-error
    return 0;
}
