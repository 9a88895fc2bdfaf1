// A generator keeps its state in a static local. The step is not the one that was promised.
#include <assert.h>

static int next_id(void)
{
    static int last = 100;
    static int calls;

    calls++;
    last += calls; //~ fault
    return last;
}

int main(void)
{
    int first = next_id();
    int second = next_id();
    int third = next_id();

    assert(first < second && second < third);
    assert(third == 130); //~ failure: assertion
    return 0;
}
