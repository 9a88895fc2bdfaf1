// As reference.c, but negative numbers have no digits.
#include <stdio.h>

static int reverse(int n)
{
    int result = 0;

    while (n > 0) { //~ fault
        result = result * 10 + n % 10;
        n /= 10;
    }
    return result;
}

int main(void)
{
    int n;

    while (scanf("%d", &n) == 1) {
        printf("%d -> %d", n, reverse(n));
        if (n == reverse(n))
            printf(" (the same)");
        printf("\n");
    }
    return 0;
}
