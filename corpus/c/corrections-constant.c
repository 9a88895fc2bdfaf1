/* A wrong constant. Whatever is computed from it could be otherwise instead, but no number of zones makes it 11. */
//@ args: 2
#include <assert.h>
#include <stdlib.h>

static int fare(int zones)
{
    int base = 4; //~ fault //~ changes
    return base + 2 * zones; //~ changes
}

int main(int argc, char **argv)
{
    int zones = atoi(argv[1]);
    int price = fare(zones); //~ changes

    assert(argc == 2);
    assert(price == 11); //~ failure: assertion
    return 0;
}
