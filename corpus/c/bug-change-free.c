//@ stdin: bug-change-free.in
//@ --inputs free
//@ error-invariants: paid < price && paid - price < 0
//@ insensitive-invariants: paid - price < 0
// Change that is given back. The numbers that are read may be any: the first invariant says which of them lead to the failure.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int price, paid, change;

    if (scanf("%d %d", &price, &paid) != 2) //~ relevance: admitting
        return 0;
    change = 0;
    if (paid < price) //~ fault
        change = paid - price; //~ relevance: enforcing //~ error-invariants: change < 0 //~ insensitive-invariants: change < 0
    assert(change >= 0); //~ failure: assertion
    return 0;
}
