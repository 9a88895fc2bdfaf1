// A queue aborts if it is asked for more than it holds.
#include <stdlib.h>

static int items[8];
static int head, tail;

static void put(int item)
{
    items[tail++ % 8] = item;
}

static int take(void)
{
    if (head == tail)
        abort(); //~ failure: abort
    return items[head++ % 8];
}

int main(void)
{
    int sum = 0;
    int n = 3;

    for (int i = 0; i < n; i++)
        put(i);
    for (int i = 0; i <= n; i++) //~ fault
        sum += take();
    return sum == 3 ? 0 : 1;
}
