/* A statement in a loop is one statement, however often it is executed. This one has to be changed each time. */
#include <assert.h>

int main(void)
{
    int sum = 0; //~ corrections: alone
    int i = 4; //~ corrections

    while (i > 0) { //~ corrections
        sum += 2 * i; //~ fault //~ corrections: alone
        assert(sum <= 10); //~ failure: assertion
        i--; //~ corrections: alone
    }
    assert(sum == 10);
    return 0;
}
