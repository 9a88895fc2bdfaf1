// Histogram of dice: the loop over the faces starts at the wrong one.
#include <assert.h>

int main(void)
{
    int rolls[] = { 1, 6, 2, 6, 6, 3, 1 };
    int count[7] = { 0 };
    int n = sizeof rolls / sizeof rolls[0];
    int total = 0;

    for (int i = 0; i < n; i++)
        count[rolls[i]]++;
    for (int face = 2; face <= 6; face++) //~ fault
        total += count[face];
    assert(count[6] == 3);
    assert(total == n); //~ failure: assertion
    return 0;
}
