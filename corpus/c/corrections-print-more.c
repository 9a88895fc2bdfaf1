/* A line is missing. What was printed before is right, but there could have been more of it. */
//@ expect: corrections-print-more.out
#include <stdio.h>

int main(void)
{
    puts("hello"); //~ fault //~ corrections: alone
    printf("it is %s\n", "me"); //~ failure: wrong-output //~ corrections: alone
    return 0;
}
