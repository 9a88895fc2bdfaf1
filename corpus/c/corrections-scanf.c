/* Numbers are stored where an index points. With other indices they would be stored elsewhere, but what is printed
   is always what was stored last. */
//@ stdin: corrections-scanf.in
//@ expect: corrections-scanf.out
#include <stdio.h>

int main(void)
{
    int numbers[2] = { 0, 0 };
    int first = 0;
    int second = 1;

    if (scanf("%d", &numbers[first]) != 1 || scanf("%d", &numbers[second]) != 1)
        return 1;
    printf("second: %d\n", numbers[second]); //~ fault //~ failure: wrong-output //~ changes
    return 0;
}
