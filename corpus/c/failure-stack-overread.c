// Looks for a neighbour that is equal; the last element has no right neighbour.
#include <stddef.h>

static int has_twins(size_t n, const int *values)
{
    for (size_t i = 0; i < n; i++) //~ fault //~ relevance: enforcing, enforcing
        if (values[i] == values[i + 1]) //~ failure: out-of-bounds
            return 1; //~ relevance: irrelevant
    return 0;
}

int main(void)
{
    int twins[4] = { 1, 5, 5, 2 }; //~ relevance: enforcing
    int single[3] = { 4, 6, 4 }; //~ relevance: enforcing
    int result = has_twins(4, twins); //~ relevance: enforcing, enforcing

    result += has_twins(3, single); //~ relevance: enforcing, enforcing
    return result == 1 ? 0 : 1;
}
