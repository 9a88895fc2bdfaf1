//@ --tests tests
//@ no failure
// As clamp.c, but right.
#include <stdio.h>
#include <stdlib.h>

static int clamp(int value, int low, int high)
{
    int result = value;

    if (value < low)
        result = low;
    else if (value > high)
        result = high;
    return result;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        printf("usage: clamp LOW HIGH\n");
        return 2;
    }

    int low = atoi(argv[1]);
    int high = atoi(argv[2]);
    int value;

    while (scanf("%d", &value) == 1)
        printf("%d\n", clamp(value, low, high));
    return 0;
}
