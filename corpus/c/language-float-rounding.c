// A float cannot count beyond 2^24 in steps of one: the sum must not be rounded to float.
#include <assert.h>

static double meter = 16777215.0;

static void tick(void)
{
    meter = (float)meter + 1.0f; //~ fault
}

int main(void)
{
    float tenth = 0.1f;
    double same = tenth;

    assert(same != 0.1);
    assert((float)0.1 == tenth);
    tick();
    tick();
    tick();
    assert(meter == 16777218.0); //~ failure: assertion
    return 0;
}
