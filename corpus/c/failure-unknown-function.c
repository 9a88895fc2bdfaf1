//@ search
// Nobody defines `sensor`: what it returns may be anything.
#include <assert.h>

int sensor(int number);

int main(void)
{
    int level = sensor(2); //~ relevance: enforcing
    //~^ fault
    int percent = level / 4; //~ relevance: enforcing

    assert(percent != 25); //~ failure: assertion
    return 0;
}
