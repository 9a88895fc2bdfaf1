/* A line is missing. What was printed before is right, but there could have been more of it. */
//@ expect: corrections-print-more.out
#include <stdio.h>

int main(void)
{
    puts("hello"); //~ fault //~ changes
    printf("it is %s\n", "me"); //~ failure: wrong-output //~ changes
    return 0;
}
