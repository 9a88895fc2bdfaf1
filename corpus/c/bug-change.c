// Change in coins. What is left after each coin is taken from the whole amount.
#include <assert.h>

static const int coins[4] = { 50, 20, 5, 1 };

static int change(int amount, int *counts)
{
    int rest = amount;
    int total = 0;

    for (int i = 0; i < 4; i++) {
        counts[i] = rest / coins[i];
        rest = amount % coins[i]; //~ fault
        total += counts[i];
    }
    return total;
}

int main(void)
{
    int counts[4];
    int paid = 0;

    assert(change(100, counts) == 2);
    change(93, counts);
    for (int i = 0; i < 4; i++)
        paid += counts[i] * coins[i];
    assert(paid == 93); //~ failure: assertion
    return 0;
}
