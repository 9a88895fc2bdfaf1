//@ stdin: failure-file-end.in
// Reads a number of values and then that many; the input ends too early, and nobody asks.
#include <stdio.h>

static int read_value(void)
{
    int value; //~ fault

    scanf("%d", &value);
    if (value < 0) //~ failure: uninitialised
        return 0;
    return value; //~ relevance: enforcing
}

int main(void)
{
    int n = read_value(); //~ relevance: enforcing
    int sum = 0; //~ relevance: enforcing

    for (int i = 0; i < n; i++) //~ relevance: enforcing, enforcing
        sum += read_value(); //~ relevance: enforcing
    printf("%d\n", sum);
    return 0;
}
