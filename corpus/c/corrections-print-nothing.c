/* The first call prints nothing, where it should have printed a sign. */
//@ expect: corrections-print-nothing.out
#include <stdio.h>

int main(void)
{
    int n = 7;
    char sign[4] = "";

    if (n < 0) //~ fault
        sign[0] = '+';
    printf("%s", sign); //~ changes
    printf("%d\n", n); //~ failure: wrong-output //~ changes
    return 0;
}
