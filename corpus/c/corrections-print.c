/* A wrong text. It is printed by a call of its own, which could print something else; so could the other one, if it were
   reached. */
//@ expect: corrections-print.out
#include <stdio.h>

int main(void)
{
    int days = 9; //~ corrections

    if (days > 7) //~ corrections
        printf("late by more than a weak\n"); //~ fault //~ failure: wrong-output //~ corrections: alone
    else
        printf("in time\n"); //~ corrections
    return 0;
}
