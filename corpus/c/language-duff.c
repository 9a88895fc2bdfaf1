// A switch into the middle of a loop. The number of rounds is rounded down.
#include <assert.h>

static int sum(const int *p, int n)
{
    int total = 0;
    int rounds = n / 4; //~ fault

    switch (n % 4) {
    case 0: do { total += *p++;
    case 3:      total += *p++;
    case 2:      total += *p++;
    case 1:      total += *p++;
            } while (--rounds > 0);
    }
    return total;
}

int main(void)
{
    int a[] = { 1, 2, 3, 4, 5, 6, 7 };

    assert(sum(a, 4) == 10);
    assert(sum(a, 3) == 6);
    assert(sum(a, 7) == 28); //~ failure: assertion
    return 0;
}
