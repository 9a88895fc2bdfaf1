/* Both calls print the same wrong character: one of them may print something else if the other does, too. */
//@ expect: corrections-print-pair.out
#include <stdio.h>

int main(void)
{
    int c = 'a';

    putchar(c); //~ fault //~ failure: wrong-output
    printf("%c\n", c); //~ fault
    return 0;
}
