// Histogram of dice: the loop over the faces starts at the wrong one.
#include <assert.h>

int main(void)
{
    int rolls[] = { 1, 6, 2, 6, 6, 3, 1 }; //~ relevance: enforcing
    int count[7] = { 0 }; //~ relevance: enforcing
    int n = sizeof rolls / sizeof rolls[0]; //~ relevance: enforcing
    int total = 0; //~ relevance: enforcing

    for (int i = 0; i < n; i++) //~ relevance: enforcing, enforcing
        count[rolls[i]]++; //~ relevance: enforcing
    for (int face = 2; face <= 6; face++) //~ fault //~ relevance: enforcing, enforcing
        total += count[face]; //~ relevance: enforcing
    assert(count[6] == 3);
    assert(total == n); //~ failure: assertion
    return 0;
}
