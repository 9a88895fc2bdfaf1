// As reference.c, but a digit 0 ends the sum, and a first digit is never the largest.
#include <stdio.h>
#include <stdlib.h>

static int digit_sum(int n)
{
    int sum = 0;

    while (n % 10 > 0) { //~ fault
        sum += n % 10;
        n /= 10;
    }
    return sum;
}

static int largest_digit(int n)
{
    if (n < 10)
        return 0; //~ fault

    int rest = largest_digit(n / 10);

    return n % 10 > rest ? n % 10 : rest;
}

int main(int argc, char **argv)
{
    if (argc != 2 || atoi(argv[1]) < 0) {
        printf("usage: digits NUMBER\n");
        return 2;
    }

    int n = atoi(argv[1]);

    printf("sum: %d\n", digit_sum(n));
    printf("largest: %d\n", largest_digit(n));
    return 0;
}
