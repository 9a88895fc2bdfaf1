// The upper bound is exclusive, but it is moved as if it were inclusive.
#include <assert.h>

static int find(const int *a, int n, int wanted)
{
    int low = 0, high = n;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (a[middle] == wanted)
            return middle;
        if (a[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1; //~ fault
    }
    return -1;
}

int main(void)
{
    int primes[] = { 2, 3, 5, 7, 11, 13, 17 };

    assert(find(primes, 7, 7) == 3);
    assert(find(primes, 7, 4) == -1);
    assert(find(primes, 7, 13) == 5);
    assert(find(primes, 7, 5) == 2); //~ failure: assertion
    return 0;
}
