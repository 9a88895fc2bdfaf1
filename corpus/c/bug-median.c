// The median of an even number of values is the mean of the two in the middle.
#include <assert.h>

static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int value = a[i], k = i;

        while (k > 0 && a[k - 1] > value) {
            a[k] = a[k - 1];
            k--;
        }
        a[k] = value;
    }
}

static double median(int *a, int n)
{
    sort(a, n);
    if (n % 2 == 1)
        return a[n / 2];
    return (a[n / 2] + a[n / 2 + 1]) / 2.0; //~ fault
}

int main(void)
{
    int odd[5] = { 9, 1, 5, 3, 7 };
    int even[4] = { 8, 2, 6, 4 };

    assert(median(odd, 5) == 5.0);
    assert(median(even, 4) == 5.0); //~ failure: assertion
    return 0;
}
