// The position of the maximum is not set if the first element is the largest.
#include <assert.h>

static int names[4] = { 11, 12, 13, 14 }; //~ relevance: enforcing

static int best(const int *scores)
{
    int at; //~ fault
    int highest = scores[0]; //~ relevance: enforcing

    for (int i = 1; i < 4; i++) //~ relevance: enforcing, enforcing
        if (scores[i] > highest) {
            highest = scores[i]; //~ relevance: enforcing
            at = i; //~ relevance: enforcing
        }
    return names[at]; //~ failure: uninitialised //~ relevance: enforcing
}

int main(void)
{
    int rising[4] = { 1, 2, 3, 4 }; //~ relevance: enforcing
    int falling[4] = { 4, 3, 2, 1 }; //~ relevance: enforcing

    assert(best(rising) == 14); //~ relevance: enforcing
    assert(best(falling) == 11); //~ relevance: enforcing
    return 0;
}
