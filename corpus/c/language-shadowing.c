// Scopes and shadowing: the inner total is not the one that is returned.
#include <assert.h>

static int total = 100;

static int add_all(const int *values, int n)
{
    int total = 0;

    for (int i = 0; i < n; i++) {
        int value = values[i];

        if (value > 0) {
            int total = value; //~ fault

            value = total;
        }
    }
    {
        extern int shared;
        int n = shared;

        return total + n;
    }
}

int shared = 1;

int main(void)
{
    int values[] = { 2, -1, 3 };

    assert(total == 100);
    assert(add_all(values, 3) == 6); //~ failure: assertion
    return 0;
}
