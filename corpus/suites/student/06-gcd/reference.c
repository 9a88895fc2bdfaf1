// The greatest common divisor, to reduce a fraction.
#include <stdio.h>
#include <stdlib.h>

static int gcd(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        printf("usage: reduce NUMERATOR DENOMINATOR\n");
        return 2;
    }

    int numerator = atoi(argv[1]);
    int denominator = atoi(argv[2]);

    if (denominator == 0) {
        printf("undefined\n");
        return 1;
    }

    int divisor = gcd(abs(numerator), abs(denominator));

    printf("%d/%d\n", numerator / divisor, denominator / divisor);
    return 0;
}
