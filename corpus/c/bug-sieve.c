//@ args: 30
//@ expect: bug-sieve.out
// The sieve of Eratosthenes. Multiples are crossed out from the number itself.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char crossed[101] = { 0 }; //~ relevance: enforcing
    int limit = argc > 1 ? atoi(argv[1]) : 10; //~ relevance: enforcing, enforcing
    int count = 0; //~ relevance: enforcing

    if (limit > 100)
        limit = 100;
    for (int n = 2; n * n <= limit; n++) //~ relevance: enforcing, enforcing
        for (int m = n; m <= limit; m += n) //~ fault //~ relevance: enforcing, enforcing
            crossed[m] = 1; //~ relevance: enforcing
    for (int n = 2; n <= limit; n++) //~ relevance: enforcing, enforcing
        if (!crossed[n])
            count++; //~ relevance: enforcing
    printf("primes up to %d: %d\n", limit, count); //~ failure: wrong-output
    return 0;
}
