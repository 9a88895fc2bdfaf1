/* A wrong text. It is printed by a call of its own, which could print something else; so could the other one, if it were
   reached. */
//@ expect: corrections-print.out
#include <stdio.h>

int main(void)
{
    int days = 9;

    if (days > 7)
        printf("late by more than a weak\n"); //~ fault //~ failure: wrong-output //~ changes
    else
        printf("in time\n");
    return 0;
}
