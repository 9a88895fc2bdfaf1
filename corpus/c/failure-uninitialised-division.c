// A price per piece: for an unknown unit the number of pieces is never set.
#include <stdio.h>

static int price_per_piece(int price, char unit)
{
    int pieces;

    switch (unit) {
    case 'd': pieces = 12; break; //~ relevance: enforcing
    case 'p': pieces = 2; break;
    default: break; //~ fault
    }
    return price / pieces; //~ failure: uninitialised //~ relevance: irrelevant
}

int main(void)
{
    printf("%d\n", price_per_piece(240, 'd')); //~ relevance: enforcing
    printf("%d\n", price_per_piece(30, 'x')); //~ relevance: enforcing
    return 0;
}
