//@ args: 5 2 8 1 9 3
//@ expect: bug-bubble-sort.out
// Bubble sort forgets that it has swapped when it sees a pair that is in order.
#include <stdio.h>
#include <stdlib.h>

static void sort(int *a, int n)
{
    int swapped = 1; //~ relevance: enforcing

    while (swapped) {
        swapped = 0; //~ relevance: irrelevant
        for (int i = 0; i + 1 < n; i++) { //~ relevance: enforcing, enforcing
            if (a[i] > a[i + 1]) {
                int kept = a[i]; //~ relevance: enforcing
                a[i] = a[i + 1]; //~ relevance: enforcing
                a[i + 1] = kept; //~ relevance: enforcing
                swapped = 1; //~ relevance: enforcing
            } else {
                swapped = 0; //~ fault //~ relevance: enforcing
            }
        }
    }
}

int main(int argc, char **argv)
{
    int a[16];
    int n = argc - 1; //~ relevance: enforcing

    for (int i = 0; i < n; i++) //~ relevance: enforcing, enforcing
        a[i] = atoi(argv[i + 1]); //~ relevance: enforcing, enforcing
    sort(a, n); //~ relevance: enforcing, enforcing
    for (int i = 0; i < n; i++) //~ relevance: enforcing
        printf("%d\n", a[i]); //~ failure: wrong-output
    return 0;
}
