// Scopes and shadowing: the inner total is not the one that is returned.
#include <assert.h>

static int total = 100; //~ relevance: enforcing

static int add_all(const int *values, int n)
{
    int total = 0; //~ relevance: enforcing

    for (int i = 0; i < n; i++) { //~ relevance: enforcing, enforcing
        int value = values[i]; //~ relevance: enforcing

        if (value > 0) {
            int total = value; //~ fault //~ relevance: irrelevant

            value = total; //~ relevance: irrelevant
        }
    }
    {
        extern int shared;
        int n = shared; //~ relevance: enforcing

        return total + n; //~ relevance: enforcing
    }
}

int shared = 1; //~ relevance: enforcing

int main(void)
{
    int values[] = { 2, -1, 3 }; //~ relevance: enforcing

    assert(total == 100);
    assert(add_all(values, 3) == 6); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
