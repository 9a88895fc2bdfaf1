/* Both calls print the same wrong character: one of them may print something else if the other does, too. */
//@ expect: corrections-print-pair.out
#include <stdio.h>

int main(void)
{
    int c = 'a'; //~ corrections

    putchar(c); //~ fault //~ failure: wrong-output //~ corrections
    printf("%c\n", c); //~ fault //~ corrections
    return 0;
}
