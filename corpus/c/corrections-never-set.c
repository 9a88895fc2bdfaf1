/* An element of an array is read that was never set. With another index it would have been, or if another one were set. */
#include <stdio.h>

int main(void)
{
    int prices[4];
    int last = 2;
    int first = 1; //~ fault //~ changes

    prices[0] = 5;
    prices[last] = 7;

    int price = prices[first]; //~ changes

    if (price > 3) //~ failure: uninitialised //~ changes
        printf("dear\n");
    else
        printf("cheap\n");
    return 0;
}
