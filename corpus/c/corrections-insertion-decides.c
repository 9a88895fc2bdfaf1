/* `count = 0` before the condition would make it hold. It helps only after it. */
//@ expect: corrections-insertion-decides.out
#include <stdio.h>

static int values[4] = {7, 0, 0, 0}; //~ changes
static int count = 1;

int main(void)
{
    if (count == 0)
        return 0;
    printf("%d\n", values[count]); //~ fault //~ failure: wrong-output //~ changes
    return 0;
}
