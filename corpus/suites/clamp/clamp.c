//@ --tests tests --max-traces 1
// Clamps the numbers of its input to a range, given as arguments. The upper bound is compared wrongly: a number that
// is less is raised to it. `reference.c` is right.
#include <stdio.h>
#include <stdlib.h>

static int clamp(int value, int low, int high)
{
    int result = value;

    if (value < low)
        result = low;
    else if (value < high) //~ fault
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
        printf("%d\n", clamp(value, low, high)); //~ failure: wrong-output
    return 0;
}
