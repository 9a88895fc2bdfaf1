// Adds minutes to a time of day. Midnight is handled only if exactly one day is passed.
#include <assert.h>

struct time {
    int hours, minutes;
};

static struct time add(struct time t, int minutes)
{
    t.minutes += minutes;
    t.hours += t.minutes / 60;
    t.minutes %= 60;
    if (t.hours >= 24)
        t.hours -= 24; //~ fault
    return t;
}

int main(void)
{
    struct time evening = { 22, 50 };
    struct time t = add(evening, 80);

    assert(t.hours == 0 && t.minutes == 10);
    t = add(evening, 2 * 24 * 60);
    assert(t.hours == 22 && t.minutes == 50); //~ failure: assertion
    return 0;
}
