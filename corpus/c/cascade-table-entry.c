//@ args: 2 3
// The price of a parcel by its zone: a wrong entry of a table.
#include <assert.h>
#include <stdlib.h>

int price[] = {
    5,
    8,
    21, //~ fault //~ relevance: enforcing //~ cascade: 0
    20, //~ relevance: enforcing //~ cascade: 0
};

int main(int argc, char **argv)
{
    int zone = atoi(argv[1]); //~ relevance: enforcing, enforcing //~ cascade: 1 //~ critical: 2
    int other = atoi(argv[2]); //~ relevance: enforcing, enforcing //~ cascade: 1 //~ critical: 2
    int first = price[zone]; //~ relevance: enforcing //~ cascade: 0 //~ critical: 1
    int second = price[other]; //~ relevance: enforcing //~ cascade: 0 //~ critical: 1

    assert(first <= second); //~ failure: assertion
    return 0;
}
