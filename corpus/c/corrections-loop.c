/* A statement in a loop is one statement, however often it is executed. This one has to be changed each time. */
#include <assert.h>

int main(void)
{
    int sum = 0;
    int i = 4;

    while (i > 0) {
        sum += 2 * i; //~ fault //~ changes
        assert(sum <= 10); //~ failure: assertion
        i--; //~ changes
    }
    assert(sum == 10);
    return 0;
}
