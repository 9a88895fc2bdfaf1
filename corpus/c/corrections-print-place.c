/* If the first call prints something else, the number may be at any later place: it is not the first number at the end of a line. */
//@ expect: corrections-print-place.out
#include <stdio.h>

int main(void)
{
    int n = 4; //~ fault

    fputs("0 ", stdout); //~ fault //~ failure: wrong-output
    printf("%d\n", n);
    return 0;
}
