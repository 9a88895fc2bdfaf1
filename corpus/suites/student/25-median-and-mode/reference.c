// The median of sorted numbers, and the number that is most frequent.
#include <stdio.h>

static double median(const int a[], int n)
{
    if (n % 2 == 0)
        return (a[n / 2 - 1] + a[n / 2]) / 2.0;
    return a[n / 2];
}

static int mode(const int a[], int n)
{
    int best = 0;
    int value = a[0];

    for (int i = 0; i < n; i++) {
        int count = 0;

        for (int j = 0; j < n; j++)
            if (a[j] == a[i])
                count++;
        if (count > best) {
            best = count;
            value = a[i];
        }
    }
    return value;
}

int main(void)
{
    int a[30];
    int n = 0;

    while (n < 30 && scanf("%d", &a[n]) == 1)
        n++;
    if (n == 0)
        return 1;
    printf("median %.1f\n", median(a, n));
    printf("mode %d\n", mode(a, n));
    return 0;
}
