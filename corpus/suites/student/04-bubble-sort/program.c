// As reference.c, but the last pair is never compared.
#include <stdio.h>

static void sort(int a[], int n)
{
    for (int i = 0; i < n - 1; i++) {
        for (int j = 0; j < n - 2 - i; j++) { //~ fault
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
        }
    }
}

int main(void)
{
    int a[50];
    int n = 0;

    while (n < 50 && scanf("%d", &a[n]) == 1)
        n++;
    sort(a, n);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
