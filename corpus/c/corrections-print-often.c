/* One statement prints several numbers, and all of them are wrong: it has to print something else each time. */
//@ expect: corrections-print-often.out
#include <stdio.h>

int main(void)
{
    int prices[3] = { 10, 20, 30 };

    for (int i = 0; i < 3; i++)
        printf("%d cents\n", prices[i] + 1); //~ fault //~ failure: wrong-output //~ changes
    return 0;
}
