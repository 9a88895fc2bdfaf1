// Splits a bill among friends, in cents. What cannot be divided is paid by the first one.
//
// What is wrong: the rest is what remains when one friend has paid, not when all have.
// Try: whydunit examples/split.c -- 100 3
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3 || atoi(argv[2]) < 1)
        return 1;

    int bill = atoi(argv[1]);
    int friends = atoi(argv[2]);
    int tip = bill / 10;
    int share = bill / friends;
    int rest = bill - share;

    assert(friends * share + rest == bill);
    printf("Each pays %d, the first one %d more. You might tip %d.\n", share, rest, tip);
    return 0;
}
