// Paper 5, Fig. 3: a count that should stay 0 is raised, because its guard holds.
#include <assert.h>

int main(void)
{
    int count, enabled;

    count = 0;
    enabled = 1; //~ fault
    if (enabled == 1)
        count = count + 1;
    assert(count == 0); //~ failure: assertion
    return 0;
}
