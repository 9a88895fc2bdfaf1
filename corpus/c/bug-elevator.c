// An elevator that has arrived keeps its direction: the branch for it does not set it.
#include <assert.h>

struct elevator {
    int floor, target, direction;
};

static void step(struct elevator *e)
{
    if (e->target > e->floor)
        e->direction = 1; //~ relevance: enforcing
    else if (e->target < e->floor) //~ fault
        e->direction = -1;
    e->floor += e->direction; //~ relevance: enforcing
}

int main(void)
{
    struct elevator e = { 0, 2, 0 }; //~ relevance: enforcing

    step(&e); //~ relevance: enforcing
    assert(e.floor == 1);
    step(&e); //~ relevance: enforcing
    assert(e.floor == 2);
    step(&e); //~ relevance: enforcing
    assert(e.floor == e.target); //~ failure: assertion
    return 0;
}
