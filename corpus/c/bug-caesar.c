//@ stdin: bug-caesar.in
//@ expect: bug-caesar.out
// Moves each letter by three. Behind the end of the alphabet it should go on from its beginning.
#include <stdio.h>

#define SHIFT 3

static int encode(int c)
{
    if (c >= 'a' && c <= 'z')
        return (c - 'a' + SHIFT) % 26 + 'a';
    if (c >= 'A' && c <= 'Z')
        return (c - 'A' + SHIFT) % 27 + 'A'; //~ fault
    return c;
}

int main(void)
{
    int c;

    while ((c = getchar()) != EOF)
        putchar(encode(c)); //~ failure: wrong-output
    return 0;
}
