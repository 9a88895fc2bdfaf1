/* The first call prints nothing, where it should have printed a sign. */
//@ expect: corrections-print-nothing.out
#include <stdio.h>

int main(void)
{
    int n = 7;
    char sign[4] = "";

    if (n < 0) //~ fault //~ corrections: alone
        sign[0] = '+';
    printf("%s", sign); //~ corrections: alone
    printf("%d\n", n); //~ failure: wrong-output //~ corrections: alone
    return 0;
}
