//@ args: 7
//@ expect: bug-collatz.out
// The length and the peak of a sequence. A peak that is even is missed.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1;
    long peak = n;
    int steps = 0;

    while (n != 1) {
        if (n % 2)
            n = 3 * n + 1;
        else
            n = n / 2;
        steps++;
        if (n > peak && n % 2) //~ fault
            peak = n;
    }
    printf("steps %d\n", steps);
    printf("peak %ld\n", peak); //~ failure: wrong-output
    return 0;
}
