// A traffic light as an enumeration with explicit values; amber goes back to green.
#include <assert.h>

enum light { RED = 4, RED_AMBER, GREEN = 1, AMBER };

static enum light next(enum light now)
{
    switch (now) {
    case RED: return RED_AMBER;
    case RED_AMBER: return GREEN;
    case GREEN: return AMBER;
    case AMBER: return now - 1; //~ fault
    }
    return RED;
}

int main(void)
{
    enum light l = RED;

    for (int step = 0; step < 4; step++)
        l = next(l);
    assert(RED_AMBER == 5 && AMBER == 2);
    assert(l == RED); //~ failure: assertion
    return 0;
}
