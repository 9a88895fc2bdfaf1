// How many numbers are odd, and which is the smallest.
#include <stdio.h>

static int odd(const int a[], int n)
{
    int count = 0;

    for (int i = 0; i < n; i++)
        if (a[i] % 2 != 0)
            count++;
    return count;
}

static int smallest(const int a[], int n)
{
    int min = a[0];

    for (int i = 1; i < n; i++)
        if (a[i] < min)
            min = a[i];
    return min;
}

int main(void)
{
    int a[50];
    int n = 0;

    while (n < 50 && scanf("%d", &a[n]) == 1)
        n++;
    if (n == 0)
        return 1;
    printf("odd: %d\n", odd(a, n));
    printf("smallest: %d\n", smallest(a, n));
    return 0;
}
