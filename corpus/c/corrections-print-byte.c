/* A char may be negative; only its byte is printed. */
//@ expect: corrections-print-byte.out
#include <stdio.h>

int main(void)
{
    char letter = 'e'; //~ fault //~ changes

    putchar(letter); //~ failure: wrong-output //~ changes
    putchar('\n');
    return 0;
}
