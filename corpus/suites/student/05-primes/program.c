// As reference.c, but squares of primes are called primes.
#include <stdio.h>

static int is_prime(int n)
{
    if (n < 2)
        return 0;
    for (int d = 2; d * d < n; d++) //~ fault
        if (n % d == 0)
            return 0;
    return 1;
}

int main(void)
{
    int from, to;

    while (scanf("%d %d", &from, &to) == 2) {
        int count = 0;

        for (int i = from; i <= to; i++) {
            if (is_prime(i)) {
                printf("%d ", i);
                count++;
            }
        }
        printf("(%d)\n", count);
    }
    return 0;
}
