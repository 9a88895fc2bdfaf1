//@ args: 30
//@ expect: bug-sieve.out
// The sieve of Eratosthenes. Multiples are crossed out from the number itself.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char crossed[101] = { 0 };
    int limit = argc > 1 ? atoi(argv[1]) : 10;
    int count = 0;

    if (limit > 100)
        limit = 100;
    for (int n = 2; n * n <= limit; n++)
        for (int m = n; m <= limit; m += n) //~ fault
            crossed[m] = 1;
    for (int n = 2; n <= limit; n++)
        if (!crossed[n])
            count++;
    printf("primes up to %d: %d\n", limit, count); //~ failure: wrong-output
    return 0;
}
