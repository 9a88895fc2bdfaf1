// Counts how often 2 can be taken away. From an odd number nothing is never left.
#include <stdio.h>

static unsigned halves(unsigned n)
{
    if (n == 0) //~ fault
        return 0;
    return 1 + halves(n - 2); //~ failure: stack-overflow
}

int main(void)
{
    printf("%u\n", halves(10));
    printf("%u\n", halves(7));
    return 0;
}
