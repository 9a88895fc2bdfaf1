// Paper 5, Fig. 3: a count that should stay 0 is raised, because its guard holds.
#include <assert.h>

int main(void)
{
    int count, enabled;

    count = 0; //~ relevance: enforcing
    enabled = 1; //~ fault //~ relevance: enforcing
    if (enabled == 1)
        count = count + 1; //~ relevance: enforcing
    assert(count == 0); //~ failure: assertion
    return 0;
}
