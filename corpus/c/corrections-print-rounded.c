/* Many numbers are printed as 1.0, and some of them are larger than 1.02. */
//@ expect: corrections-print-rounded.out
#include <stdio.h>

int main(void)
{
    double rate = 1.0; //~ fault

    printf("%.1f\n", rate);
    printf("%d\n", rate > 1.02); //~ failure: wrong-output //~ changes
    return 0;
}
