// Wrong index, computed by a statement of its own: sales of two shops in four quarters, in one table. The
// index of the second shop forgets that a shop has four cells.
#include <assert.h>
#include <stdio.h>

enum { SHOPS = 2, QUARTERS = 4 };

static int table[SHOPS * QUARTERS];

static void sell(int shop, int month, int amount)
{
    int quarter = (month - 1) / 3;
    int cell = shop + quarter; //~ fault //~ cascade

    table[cell] += amount;
}

static int year_of(int shop)
{
    int sum = 0;

    for (int quarter = 0; quarter < QUARTERS; quarter++)
        sum += table[shop * QUARTERS + quarter];
    return sum;
}

int main(void)
{
    int first, second;

    for (int month = 1; month <= 12; month += 3) {
        sell(0, month, 100);
        sell(1, month, 10 * month);
    }
    first = year_of(0);
    second = year_of(1);
    printf("%d %d\n", first, second);
    assert(first == 400); //~ failure: assertion
    return 0;
}
