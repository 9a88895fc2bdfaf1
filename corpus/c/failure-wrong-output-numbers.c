//@ stdin: failure-wrong-output-numbers.in
//@ expect: failure-wrong-output-numbers.out
// Reads a table of sales and prints sum, mean, smallest, largest and range.
#include <stdio.h>

#define MOST 20

static int read_all(int *values)
{
    int n = 0;

    while (n < MOST && scanf("%d", &values[n]) == 1)
        n++;
    return n;
}

int main(void)
{
    int values[MOST];
    int n = read_all(values);
    int sum = 0, smallest, largest;

    if (n == 0) {
        printf("no values\n");
        return 0;
    }
    smallest = values[0];
    largest = values[0];
    for (int i = 0; i < n; i++) {
        sum += values[i];
        if (values[i] < smallest)
            smallest = values[i];
        if (values[i] > largest)
            largest = values[n - 1]; //~ fault
    }
    printf("values   %d\n", n);
    printf("sum      %d\n", sum);
    printf("mean     %.2f\n", (double)sum / n);
    printf("smallest %d\n", smallest);
    printf("largest  %d\n", largest); //~ failure: wrong-output
    printf("range    %d\n", largest - smallest);
    return 0;
}
