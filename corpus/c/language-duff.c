// A switch into the middle of a loop. The number of rounds is rounded down.
#include <assert.h>

static int sum(const int *p, int n)
{
    int total = 0; //~ relevance: enforcing
    int rounds = n / 4; //~ fault //~ relevance: enforcing

    switch (n % 4) {
    case 0: do { total += *p++; //~ relevance: enforcing, enforcing
    case 3:      total += *p++; //~ relevance: enforcing, enforcing
    case 2:      total += *p++; //~ relevance: enforcing, enforcing
    case 1:      total += *p++; //~ relevance: enforcing
            } while (--rounds > 0); //~ relevance: enforcing
    }
    return total; //~ relevance: enforcing
}

int main(void)
{
    int a[] = { 1, 2, 3, 4, 5, 6, 7 }; //~ relevance: enforcing

    assert(sum(a, 4) == 10); //~ relevance: enforcing, enforcing
    assert(sum(a, 3) == 6); //~ relevance: enforcing, enforcing
    assert(sum(a, 7) == 28); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
