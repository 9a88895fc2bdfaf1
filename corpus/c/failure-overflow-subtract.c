// Compares two numbers by their difference, which may not fit.
#include <stdlib.h>

static int ascending(int a, int b)
{
    int difference = a - b; //~ fault //~ relevance: enforcing
    //~^ failure: signed-overflow

    return difference < 0 ? -1 : difference > 0; //~ relevance: enforcing
}

int main(void)
{
    int readings[4] = { 5, 2000000000, -2000000000, 7 }; //~ relevance: enforcing

    for (int i = 1; i < 4; i++) //~ relevance: enforcing, enforcing
        for (int k = i; k > 0 && ascending(readings[k - 1], readings[k]) > 0; k--) {
    //~^ relevance: enforcing, enforcing, enforcing
            int kept = readings[k];
            readings[k] = readings[k - 1];
            readings[k - 1] = kept;
        }
    return readings[3] == 2000000000 ? 0 : 1;
}
