/* Two numbers side by side: 1 and 23 are right, and so are 12 and 3. */
//@ expect: corrections-print-both.out
#include <stdio.h>

int main(void)
{
    int a = 3; //~ fault
    int b = 4;

    printf("%d%d\n", a, b); //~ failure: wrong-output //~ changes
    return 0;
}
