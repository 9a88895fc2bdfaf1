/* `count = 0` before the condition would make it hold. It helps only after it. */
//@ expect: corrections-insertion-decides.out
#include <stdio.h>

static int values[4] = {7, 0, 0, 0}; //~ corrections: alone
static int count = 1; //~ corrections

int main(void)
{
    if (count == 0) //~ corrections
        return 0;
    printf("%d\n", values[count]); //~ fault //~ failure: wrong-output //~ corrections: alone
    return 0;
}
