// A window contains two corners; moving it forgets the lower one.
#include <assert.h>

struct corner {
    short x, y;
};

struct window {
    char name[6];
    struct {
        struct corner upper, lower;
    } frame;
    struct corner *active;
};

static void move(struct window *w, short dx)
{
    w->frame.upper.x += dx; //~ relevance: enforcing
    w->active->x += dx; //~ fault //~ relevance: enforcing
}

int main(void)
{
    struct window w = { "main", { { 0, 0 }, { 80, 25 } }, 0 }; //~ relevance: enforcing
    struct window copy;

    w.active = &w.frame.upper; //~ relevance: enforcing
    copy = w; //~ relevance: enforcing
    move(&w, 10); //~ relevance: enforcing, enforcing
    assert(copy.frame.upper.x == 0 && copy.name[3] == 'n');
    assert(w.frame.lower.x - w.frame.upper.x == 80); //~ failure: assertion
    return 0;
}
