// A generator keeps its state in a static local. The step is not the one that was promised.
#include <assert.h>

static int next_id(void)
{
    static int last = 100; //~ relevance: enforcing
    static int calls;

    calls++; //~ relevance: enforcing
    last += calls; //~ fault //~ relevance: enforcing
    return last; //~ relevance: enforcing
}

int main(void)
{
    int first = next_id(); //~ relevance: enforcing
    int second = next_id(); //~ relevance: enforcing
    int third = next_id(); //~ relevance: enforcing

    assert(first < second && second < third);
    assert(third == 130); //~ failure: assertion
    return 0;
}
