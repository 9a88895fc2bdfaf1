//@ args: 5 2 8 1 9 3
//@ expect: bug-bubble-sort.out
// Bubble sort forgets that it has swapped when it sees a pair that is in order.
#include <stdio.h>
#include <stdlib.h>

static void sort(int *a, int n)
{
    int swapped = 1;

    while (swapped) {
        swapped = 0;
        for (int i = 0; i + 1 < n; i++) {
            if (a[i] > a[i + 1]) {
                int kept = a[i];
                a[i] = a[i + 1];
                a[i + 1] = kept;
                swapped = 1;
            } else {
                swapped = 0; //~ fault
            }
        }
    }
}

int main(int argc, char **argv)
{
    int a[16];
    int n = argc - 1;

    for (int i = 0; i < n; i++)
        a[i] = atoi(argv[i + 1]);
    sort(a, n);
    for (int i = 0; i < n; i++)
        printf("%d\n", a[i]); //~ failure: wrong-output
    return 0;
}
