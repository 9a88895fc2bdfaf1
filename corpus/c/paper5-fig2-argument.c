//@ args: 1
// Paper 5, Fig. 2: the number of the next page of a book that has one page only.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int page, next;

    page = argc > 1 ? atoi(argv[1]) : 0; //~ fault
    next = page + 1;
    assert(next == 1); //~ failure: assertion
    return 0;
}
