/* Any white space may be at the end of the output, and no other character. */
//@ expect: corrections-print-end.out
#include <stdio.h>

int main(void)
{
    int end = ';'; //~ fault //~ changes

    printf("%x", 255);
    putchar(end); //~ failure: wrong-output //~ changes
    return 0;
}
