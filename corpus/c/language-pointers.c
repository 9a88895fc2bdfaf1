// Two pointers walk towards each other and swap; a pointer to a pointer is advanced by a helper.
#include <assert.h>

static void step(const int **cursor)
{
    *cursor += 2; //~ fault //~ relevance: enforcing
}

static void reverse(int *from, int *to)
{
    while (from < to) {
        int kept = *from; //~ relevance: enforcing
        *from++ = *to; //~ relevance: enforcing, enforcing
        *to-- = kept; //~ relevance: enforcing, enforcing
    }
}

int main(void)
{
    int a[5] = { 1, 2, 3, 4, 5 }; //~ relevance: enforcing
    const int *at = a; //~ relevance: enforcing

    reverse(a, a + 4); //~ relevance: enforcing, enforcing
    assert(*at == 5 && at[4] == 1);
    step(&at); //~ relevance: enforcing
    step(&at); //~ relevance: enforcing
    assert(*at == 3); //~ failure: assertion
    return 0;
}
