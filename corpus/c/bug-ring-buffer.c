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
        return 0;
    r->slots[(r->head + r->count) % SIZE] = value;
    r->count++;
    return 1;
}

static int take(struct ring *r, int *value)
{
    if (r->count == 0)
        return 0;
    *value = r->slots[r->head];
    r->head = (r->head + 1) % SIZE; //~ fault
    return 1;
}

int main(void)
{
    struct ring r = { { 0 }, 0, 0 };
    int value = 0;

    for (int i = 1; i <= 3; i++)
        assert(put(&r, i * 10));
    assert(take(&r, &value) && value == 10);
    assert(put(&r, 40));
    assert(put(&r, 50)); //~ failure: assertion
    return 0;
}
