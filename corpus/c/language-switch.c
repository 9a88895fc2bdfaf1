// Fall-through, ranges of cases and default. The case of hundreds lost its way into the next one.
#include <assert.h>

static int points(int length, int c)
{
    int score = 0;

    switch (length) {
    case 3: score += 100; break; //~ fault
    case 2: score += 10; /* fall through */
    case 1: score += 1; break;
    default: score = -1;
    }
    switch (c) {
    case 'a' ... 'z': return score;
    case '0' ... '9': return score + 1000;
    case -1: break;
    }
    return 0;
}

int main(void)
{
    assert(points(1, '7') == 1001);
    assert(points(9, 'q') == -1);
    assert(points(2, -1) == 0);
    assert(points(3, 'z') == 111); //~ failure: assertion
    return 0;
}
