// Merges overlapping intervals. The end of the merged one is the end of the second, even if it is smaller.
#include <assert.h>

struct interval {
    int from, to;
};

static int merge(struct interval *list, int n)
{
    int last = 0; //~ relevance: enforcing

    for (int i = 1; i < n; i++) { //~ relevance: enforcing, enforcing
        if (list[i].from <= list[last].to)
            list[last].to = list[i].to; //~ fault //~ relevance: enforcing
        else
            list[++last] = list[i]; //~ relevance: enforcing, enforcing
    }
    return last + 1; //~ relevance: enforcing
}

int main(void)
{
    struct interval list[] = { { 1, 4 }, { 3, 6 }, { 10, 20 }, { 12, 15 }, { 18, 19 } };
    //~^ relevance: enforcing
    int n = merge(list, 5); //~ relevance: enforcing, enforcing, enforcing

    assert(list[0].from == 1 && list[0].to == 6);
    assert(n == 2); //~ failure: assertion
    return 0;
}
