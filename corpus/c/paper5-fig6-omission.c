// Paper 5, Fig. 6: an assignment that should have been executed was not. The second condition asks
// for the wrong sign.
#include <assert.h>

int main(void)
{
    int open = 2, urgent = 1, weight = 1, cost = 0; //~ relevance: enforcing, enforcing, enforcing

    if (open > 0) {
        if (urgent < 0) //~ fault
            if (weight != 2)
                weight = 2;
        cost = weight + 3; //~ relevance: enforcing
    }
    assert(cost == 5); //~ failure: assertion
    return 0;
}
