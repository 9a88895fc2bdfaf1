//@ args: 5
// Recursion: ways to climb stairs in steps of one or two. No stairs can be climbed in one way, not in none.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int ways(int stairs)
{
    int count;

    if (stairs < 0)
        return 0;
    if (stairs == 0)
        return 0; //~ fault //~ cascade
    if (stairs == 1)
        return 1;
    count = ways(stairs - 1);
    count += ways(stairs - 2);
    return count;
}

int main(int argc, char **argv)
{
    int stairs = argc > 1 ? atoi(argv[1]) : 1;
    int count = ways(stairs);

    printf("%d ways\n", count);
    assert(count == 8); //~ failure: assertion
    return 0;
}
