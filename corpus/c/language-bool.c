// A _Bool keeps whether a mask has a bit, not the bit itself: comparing it with the mask is wrong.
#include <assert.h>
#include <stdbool.h>

#define READ 1
#define WRITE 4

static bool may_write(int rights)
{
    bool granted = rights & WRITE; //~ relevance: irrelevant

    return granted == WRITE; //~ fault //~ relevance: enforcing
}

int main(void)
{
    _Bool both = may_write(READ | WRITE); //~ relevance: enforcing
    int count = both + both; //~ relevance: enforcing

    assert(!may_write(READ)); //~ relevance: irrelevant
    assert(count == 2); //~ failure: assertion
    return 0;
}
