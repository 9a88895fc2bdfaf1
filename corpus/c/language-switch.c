// Fall-through, ranges of cases and default. The case of hundreds lost its way into the next one.
#include <assert.h>

static int points(int length, int c)
{
    int score = 0; //~ relevance: enforcing

    switch (length) {
    case 3: score += 100; break; //~ fault //~ relevance: enforcing
    case 2: score += 10; /* fall through */ //~ relevance: enforcing
    case 1: score += 1; break; //~ relevance: enforcing
    default: score = -1; //~ relevance: enforcing
    }
    switch (c) {
    case 'a' ... 'z': return score; //~ relevance: enforcing
    case '0' ... '9': return score + 1000; //~ relevance: enforcing
    case -1: break;
    }
    return 0; //~ relevance: enforcing
}

int main(void)
{
    assert(points(1, '7') == 1001); //~ relevance: enforcing, enforcing
    assert(points(9, 'q') == -1); //~ relevance: enforcing, enforcing
    assert(points(2, -1) == 0); //~ relevance: enforcing, enforcing
    assert(points(3, 'z') == 111); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
