//@ args: 22 30
// Wrong branch condition: the shop is open from 9 to 18 o'clock. The two bounds are joined by "or", so
// it never closes.
#include <assert.h>
#include <stdlib.h>

static int is_open(int hour, int minute)
{
    int now = hour * 60 + minute;

    if (now >= 9 * 60 || now < 18 * 60) //~ fault //~ cascade
        return 1;
    return 0;
}

static int staff(int hour, int minute)
{
    int people = 0;

    if (is_open(hour, minute)) {
        people = 2;
        if (hour >= 16)
            people++;
    }
    return people;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;

    int hour = atoi(argv[1]), minute = atoi(argv[2]);
    int people = staff(hour, minute);

    assert(hour < 18 || people == 0); //~ failure: assertion
    return 0;
}
