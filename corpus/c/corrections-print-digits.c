/* A number that no text follows is right if what is printed next completes it: here 1, because 2 follows, and not 12. */
//@ expect: corrections-print-digits.out
#include <stdio.h>

int main(void)
{
    int tens = 3, ones = 2; //~ fault //~ changes

    printf("%d", tens); //~ failure: wrong-output //~ changes
    printf("%d\n", ones);
    return 0;
}
