// A traffic light as an enumeration with explicit values; amber goes back to green.
#include <assert.h>

enum light { RED = 4, RED_AMBER, GREEN = 1, AMBER };

static enum light next(enum light now)
{
    switch (now) {
    case RED: return RED_AMBER; //~ relevance: enforcing
    case RED_AMBER: return GREEN; //~ relevance: enforcing
    case GREEN: return AMBER; //~ relevance: enforcing
    case AMBER: return now - 1; //~ fault //~ relevance: enforcing
    }
    return RED;
}

int main(void)
{
    enum light l = RED; //~ relevance: enforcing

    for (int step = 0; step < 4; step++) //~ relevance: enforcing, enforcing
        l = next(l); //~ relevance: enforcing, enforcing
    assert(RED_AMBER == 5 && AMBER == 2);
    assert(l == RED); //~ failure: assertion
    return 0;
}
