// The position of the maximum is not set if the first element is the largest.
#include <assert.h>

static int names[4] = { 11, 12, 13, 14 };

static int best(const int *scores)
{
    int at; //~ fault
    int highest = scores[0];

    for (int i = 1; i < 4; i++)
        if (scores[i] > highest) {
            highest = scores[i];
            at = i;
        }
    return names[at]; //~ failure: uninitialised
}

int main(void)
{
    int rising[4] = { 1, 2, 3, 4 };
    int falling[4] = { 4, 3, 2, 1 };

    assert(best(rising) == 14);
    assert(best(falling) == 11);
    return 0;
}
