// Transfers between accounts. A refused withdrawal must not become a deposit.
#include <assert.h>

struct account {
    int balance;
    int limit;
};

static int withdraw(struct account *a, int amount)
{
    if (a->balance + a->limit < amount)
        return 0; //~ relevance: enforcing
    a->balance -= amount; //~ relevance: enforcing
    return 1; //~ relevance: enforcing
}

static void deposit(struct account *a, int amount)
{
    a->balance += amount; //~ relevance: enforcing
}

static int transfer(struct account *from, struct account *to, int amount)
{
    int ok = withdraw(from, amount); //~ relevance: enforcing, enforcing, enforcing

    if (amount > 0) //~ fault
        deposit(to, amount); //~ relevance: enforcing, enforcing
    return ok; //~ relevance: enforcing
}

int main(void)
{
    struct account ann = { 100, 50 }, bob = { 20, 0 }; //~ relevance: enforcing, enforcing

    assert(transfer(&ann, &bob, 120)); //~ relevance: enforcing, enforcing, enforcing
    assert(ann.balance == -20 && bob.balance == 140);
    assert(!transfer(&ann, &bob, 60)); //~ relevance: enforcing, enforcing, enforcing
    assert(ann.balance + bob.balance == 120); //~ failure: assertion
    return 0;
}
