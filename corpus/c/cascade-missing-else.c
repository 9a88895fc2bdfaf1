//@ args: 1500
// Missing else: small orders pay postage, large ones get a discount. Between the two tests an "else" is
// missing: what is large enough for 10 per cent falls back to 5.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int discount(int total)
{
    int percent = 0;

    if (total >= 1000)
        percent = 10;
    if (total >= 500) //~ fault //~ cascade
        percent = 5;
    return percent;
}

static int postage(int total)
{
    return total < 50 ? 4 : 0;
}

int main(int argc, char **argv)
{
    int total = argc > 1 ? atoi(argv[1]) : 0;
    int bill = total - total * discount(total) / 100 + postage(total);

    printf("%d\n", bill);
    assert(bill == 1350); //~ failure: assertion
    return 0;
}
