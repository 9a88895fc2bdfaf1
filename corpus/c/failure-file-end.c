//@ stdin: failure-file-end.in
// Reads a number of values and then that many; the input ends too early, and nobody asks.
#include <stdio.h>

static int read_value(void)
{
    int value; //~ fault

    scanf("%d", &value);
    return value;
}

int main(void)
{
    int n = read_value();
    int sum = 0;

    for (int i = 0; i < n; i++) {
        int value = read_value();

        if (value > 0) //~ failure: uninitialised
            sum += value;
    }
    printf("%d\n", sum);
    return 0;
}
