// A copy on the stack, made with alloca, is sorted to leave the original alone.
#include <assert.h>
#include <string.h>

static int smallest(const int *values, int n)
{
    int *copy = __builtin_alloca(n * sizeof *copy); //~ relevance: enforcing

    memcpy(copy, values, n * sizeof *copy); //~ relevance: enforcing
    for (int i = 1; i < n; i++) //~ relevance: enforcing, enforcing
        if (copy[i] < copy[0])
            copy[i] = copy[0]; //~ fault //~ relevance: irrelevant
    return copy[0]; //~ relevance: enforcing
}

int main(void)
{
    int values[] = { 5, 3, 8, 1 }; //~ relevance: enforcing

    assert(smallest(values, 1) == 5); //~ relevance: enforcing, enforcing
    assert(smallest(values, 4) == 1); //~ failure: assertion //~ relevance: enforcing, enforcing
    assert(values[0] == 5);
    return 0;
}
