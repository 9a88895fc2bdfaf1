// The upper bound is exclusive, but it is moved as if it were inclusive.
#include <assert.h>

static int find(const int *a, int n, int wanted)
{
    int low = 0, high = n; //~ relevance: enforcing, enforcing

    while (low < high) {
        int middle = low + (high - low) / 2; //~ relevance: enforcing

        if (a[middle] == wanted)
            return middle; //~ relevance: enforcing
        if (a[middle] < wanted)
            low = middle + 1; //~ relevance: enforcing
        else
            high = middle - 1; //~ fault //~ relevance: enforcing
    }
    return -1; //~ relevance: enforcing
}

int main(void)
{
    int primes[] = { 2, 3, 5, 7, 11, 13, 17 }; //~ relevance: enforcing

    assert(find(primes, 7, 7) == 3); //~ relevance: enforcing, enforcing, enforcing
    assert(find(primes, 7, 4) == -1); //~ relevance: enforcing, enforcing, enforcing
    assert(find(primes, 7, 13) == 5); //~ relevance: enforcing, enforcing, enforcing
    assert(find(primes, 7, 5) == 2); //~ failure: assertion //~ relevance: enforcing, enforcing, enforcing
    return 0;
}
