// A queue aborts if it is asked for more than it holds.
#include <stdlib.h>

static int items[8];
static int head, tail;

static void put(int item)
{
    items[tail++ % 8] = item; //~ relevance: enforcing, enforcing
}

static int take(void)
{
    if (head == tail)
        abort(); //~ failure: abort
    return items[head++ % 8]; //~ relevance: enforcing, enforcing
}

int main(void)
{
    int sum = 0; //~ relevance: enforcing
    int n = 3; //~ relevance: enforcing

    for (int i = 0; i < n; i++) //~ relevance: enforcing, enforcing
        put(i); //~ relevance: enforcing
    for (int i = 0; i <= n; i++) //~ fault //~ relevance: enforcing, enforcing
        sum += take(); //~ relevance: enforcing
    return sum == 3 ? 0 : 1;
}
