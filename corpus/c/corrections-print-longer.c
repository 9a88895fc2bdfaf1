/* What is printed first is right as far as it goes, but the number is too short. */
//@ expect: corrections-print-longer.out
#include <stdio.h>

int main(void)
{
    int apples = 1; //~ fault

    printf("%d", apples); //~ changes
    printf(" apples\n"); //~ failure: wrong-output //~ changes
    return 0;
}
