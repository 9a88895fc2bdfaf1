// A copy on the stack, made with alloca, is sorted to leave the original alone.
#include <assert.h>
#include <string.h>

static int smallest(const int *values, int n)
{
    int *copy = __builtin_alloca(n * sizeof *copy);

    memcpy(copy, values, n * sizeof *copy);
    for (int i = 1; i < n; i++)
        if (copy[i] < copy[0])
            copy[i] = copy[0]; //~ fault
    return copy[0];
}

int main(void)
{
    int values[] = { 5, 3, 8, 1 };

    assert(smallest(values, 1) == 5);
    assert(smallest(values, 4) == 1); //~ failure: assertion
    assert(values[0] == 5);
    return 0;
}
