// Where keys are in a sorted array.
#include <stdio.h>

static int find(const int a[], int n, int key)
{
    int low = 0;
    int high = n - 1;

    while (low <= high) {
        int middle = low + (high - low) / 2;

        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    int a[50];
    int n;
    int key;

    if (scanf("%d", &n) != 1 || n < 0 || n > 50)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &a[i]) != 1)
            return 1;
    while (scanf("%d", &key) == 1)
        printf("%d at %d\n", key, find(a, n, key));
    return 0;
}
