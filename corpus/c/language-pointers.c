// Two pointers walk towards each other and swap; a pointer to a pointer is advanced by a helper.
#include <assert.h>

static void step(const int **cursor)
{
    *cursor += 2; //~ fault
}

static void reverse(int *from, int *to)
{
    while (from < to) {
        int kept = *from;
        *from++ = *to;
        *to-- = kept;
    }
}

int main(void)
{
    int a[5] = { 1, 2, 3, 4, 5 };
    const int *at = a;

    reverse(a, a + 4);
    assert(*at == 5 && at[4] == 1);
    step(&at);
    step(&at);
    assert(*at == 3); //~ failure: assertion
    return 0;
}
