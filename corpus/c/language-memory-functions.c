// memcpy, memmove, memset and memcmp. A gap is opened with the wrong number of bytes.
#include <assert.h>
#include <string.h>

static int list[6];

static void insert_front(int value, int count)
{
    memmove(list + 1, list, count); //~ fault
    list[0] = value;
}

int main(void)
{
    int wanted[6] = { 40, 10, 20, 30, -1, -1 };
    int start[3] = { 10, 20, 30 };

    memset(list, 0xFF, sizeof list);
    assert(list[5] == -1);
    memcpy(list, start, sizeof start);
    assert(memcmp(list, start, sizeof start) == 0);
    insert_front(40, 3);
    assert(memcmp(list, wanted, sizeof list) == 0); //~ failure: assertion
    return 0;
}
