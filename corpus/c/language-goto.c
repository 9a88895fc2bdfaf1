// Leaves a nested loop by goto; the jump after success goes to the wrong label.
#include <assert.h>

static int find_sum(const int *a, int n, int wanted)
{
    int found = -1; //~ relevance: enforcing
    int i = 0, j = 0; //~ relevance: enforcing

again:
    for (j = i + 1; j < n; j++) //~ relevance: enforcing, enforcing
        if (a[i] + a[j] == wanted)
            goto missing; //~ fault
    if (++i < n - 1) //~ relevance: enforcing
        goto again;
    goto missing;
success:
    found = i * 10 + j;
missing:
    return found; //~ relevance: enforcing
}

int main(void)
{
    int a[] = { 4, 9, 2, 7 }; //~ relevance: enforcing

    assert(find_sum(a, 4, 100) == -1); //~ relevance: enforcing, enforcing, enforcing
    if (find_sum(a, 4, 0) != -1) //~ relevance: enforcing, enforcing, enforcing
        goto done;
    assert(find_sum(a, 4, 9) == 23); //~ failure: assertion //~ relevance: enforcing, enforcing, enforcing
done:
    return a[0] == 4 ? 0 : 1;
}
