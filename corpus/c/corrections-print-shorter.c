/* The first string is right. But a shorter one is, too, if the second completes it: 1 and 23 instead of 12 and 3. */
//@ expect: corrections-print-shorter.out
#include <stdio.h>

int main(void)
{
    char first[4] = "1", second[4] = "2";

    first[1] = '2';
    second[1] = '4'; //~ fault
    printf("%s", first);
    printf("%s\n", second); //~ failure: wrong-output //~ changes
    return 0;
}
