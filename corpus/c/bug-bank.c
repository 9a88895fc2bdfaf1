// Transfers between accounts. A refused withdrawal must not become a deposit.
#include <assert.h>

struct account {
    int balance;
    int limit;
};

static int withdraw(struct account *a, int amount)
{
    if (a->balance + a->limit < amount)
        return 0;
    a->balance -= amount;
    return 1;
}

static void deposit(struct account *a, int amount)
{
    a->balance += amount;
}

static int transfer(struct account *from, struct account *to, int amount)
{
    int ok = withdraw(from, amount);

    if (amount > 0) //~ fault
        deposit(to, amount);
    return ok;
}

int main(void)
{
    struct account ann = { 100, 50 }, bob = { 20, 0 };

    assert(transfer(&ann, &bob, 120));
    assert(ann.balance == -20 && bob.balance == 140);
    assert(!transfer(&ann, &bob, 60));
    assert(ann.balance + bob.balance == 120); //~ failure: assertion
    return 0;
}
