// A ring buffer counts its entries. Taking one out does not count it.
#include <assert.h>

#define SIZE 4

struct ring {
    int slots[SIZE];
    int head, count;
};

static int put(struct ring *r, int value)
{
    if (r->count == SIZE)
        return 0; //~ relevance: enforcing
    r->slots[(r->head + r->count) % SIZE] = value; //~ relevance: enforcing
    r->count++; //~ relevance: enforcing
    return 1; //~ relevance: enforcing
}

static int take(struct ring *r, int *value)
{
    if (r->count == 0)
        return 0;
    *value = r->slots[r->head]; //~ relevance: enforcing
    r->head = (r->head + 1) % SIZE; //~ fault //~ relevance: enforcing
    return 1; //~ relevance: enforcing
}

int main(void)
{
    struct ring r = { { 0 }, 0, 0 }; //~ relevance: enforcing
    int value = 0; //~ relevance: irrelevant

    for (int i = 1; i <= 3; i++) //~ relevance: enforcing, enforcing
        assert(put(&r, i * 10)); //~ relevance: enforcing, enforcing
    assert(take(&r, &value) && value == 10); //~ relevance: enforcing, enforcing
    assert(put(&r, 40)); //~ relevance: enforcing
    assert(put(&r, 50)); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
