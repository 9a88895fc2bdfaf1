// Powers by recursion.
#include <stdio.h>
#include <stdlib.h>

static long power(long base, int exponent)
{
    if (exponent == 0)
        return 1;

    long half = power(base, exponent / 2);

    if (exponent % 2 == 1)
        return half * half * base;
    return half * half;
}

int main(int argc, char **argv)
{
    if (argc != 3 || atoi(argv[2]) < 0) {
        printf("usage: power BASE EXPONENT\n");
        return 2;
    }
    printf("%ld\n", power(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
