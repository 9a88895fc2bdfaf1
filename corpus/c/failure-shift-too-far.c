// A set of small numbers in one word; it was made for 32, and 40 is added.
#include <stdint.h>

static uint64_t set;

static void add(int member)
{
    set |= 1u << member; //~ fault //~ relevance: irrelevant
    //~^ failure: bad-shift
}

int main(void)
{
    static const int members[] = { 3, 31, 40 }; //~ relevance: enforcing, enforcing, enforcing

    for (int i = 0; i < 3; i++) //~ relevance: enforcing, enforcing
        add(members[i]); //~ relevance: enforcing
    return set == (1ull << 3 | 1ull << 31 | 1ull << 40) ? 0 : 1;
}
