/* What is printed first is right as far as it goes, but the number is too short. */
//@ expect: corrections-print-longer.out
#include <stdio.h>

int main(void)
{
    int apples = 1; //~ fault //~ corrections: alone

    printf("%d", apples); //~ corrections: alone
    printf(" apples\n"); //~ failure: wrong-output //~ corrections: alone
    return 0;
}
