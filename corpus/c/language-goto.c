// Leaves a nested loop by goto; the jump after success goes to the wrong label.
#include <assert.h>

static int find_sum(const int *a, int n, int wanted)
{
    int found = -1;
    int i = 0, j = 0;

again:
    for (j = i + 1; j < n; j++)
        if (a[i] + a[j] == wanted)
            goto missing; //~ fault
    if (++i < n - 1)
        goto again;
    goto missing;
success:
    found = i * 10 + j;
missing:
    return found;
}

int main(void)
{
    int a[] = { 4, 9, 2, 7 };

    assert(find_sum(a, 4, 100) == -1);
    if (find_sum(a, 4, 0) != -1)
        goto done;
    assert(find_sum(a, 4, 9) == 23); //~ failure: assertion
done:
    return a[0] == 4 ? 0 : 1;
}
