//@ args: 1
// Paper 5, Fig. 2: the number of the next page of a book that has one page only.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int page, next;

    page = argc > 1 ? atoi(argv[1]) : 0; //~ fault //~ relevance: enforcing, enforcing
    next = page + 1; //~ relevance: enforcing
    assert(next == 1); //~ failure: assertion
    return 0;
}
