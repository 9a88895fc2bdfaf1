/* A variable is not set on every way. Where it decides, an assignment before would help. */
#include <stdio.h>

int main(void)
{
    int size = 7; //~ changes
    int limit;

    if (size > 10) //~ fault //~ changes
        limit = 3;

    if (limit > size) { //~ failure: uninitialised //~ changes
        printf("small\n");
        return 0;
    }
    printf("large\n");
    return 0;
}
