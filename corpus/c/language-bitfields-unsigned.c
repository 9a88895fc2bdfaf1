// A date in 16 bits. The year is counted from 1900, and then it does not fit into its field.
#include <assert.h>

struct stamp {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 7;
};

static struct stamp make(int day, int month, int year)
{
    struct stamp s;

    s.day = day; //~ relevance: enforcing
    s.month = month; //~ relevance: enforcing
    s.year = year - 1900; //~ fault //~ relevance: enforcing
    return s; //~ relevance: enforcing
}

int main(void)
{
    struct stamp release = make(31, 12, 2040); //~ relevance: enforcing, enforcing, enforcing, enforcing

    assert(release.day == 31);
    assert(release.month == 12);
    assert(release.year + 1980 == 2040); //~ failure: assertion
    return 0;
}
