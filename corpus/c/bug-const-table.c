// Tables that nobody may write: a global one, and one of a function. September is too long.
#include <assert.h>

static const unsigned char days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, [8] = 31, 30, [10] = 30, 31 };
//~^ fault //~^ relevance: enforcing, enforcing, enforcing

static int quarter(int month)
{
    static const int first[] = {
        1,
        4,
        7, //~ relevance: enforcing
        10 //~ relevance: enforcing
    };
    int q = 3; //~ relevance: enforcing

    while (first[q] > month)
        q--; //~ relevance: enforcing
    return q; //~ relevance: enforcing
}

int main(void)
{
    int sum = 0; //~ relevance: enforcing

    for (int month = 7; month <= 9; month++) //~ relevance: enforcing, enforcing
        sum += days[month - 1]; //~ relevance: enforcing
    assert(quarter(9) == 2); //~ relevance: enforcing
    assert(sum == 92); //~ failure: assertion
    return 0;
}
