// The median of an even number of values is the mean of the two in the middle.
#include <assert.h>

static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) { //~ relevance: enforcing, enforcing
        int value = a[i], k = i; //~ relevance: enforcing, enforcing

        while (k > 0 && a[k - 1] > value) {
            a[k] = a[k - 1]; //~ relevance: enforcing
            k--; //~ relevance: enforcing
        }
        a[k] = value; //~ relevance: enforcing
    }
}

static double median(int *a, int n)
{
    sort(a, n); //~ relevance: enforcing, enforcing
    if (n % 2 == 1)
        return a[n / 2]; //~ relevance: enforcing
    return (a[n / 2] + a[n / 2 + 1]) / 2.0; //~ fault //~ relevance: enforcing
}

int main(void)
{
    int odd[5] = { 9, 1, 5, 3, 7 }; //~ relevance: enforcing
    int even[4] = { 8, 2, 6, 4 }; //~ relevance: enforcing

    assert(median(odd, 5) == 5.0); //~ relevance: enforcing, enforcing
    assert(median(even, 4) == 5.0); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
