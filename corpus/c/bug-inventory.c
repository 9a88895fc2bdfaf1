// A reservation that cannot be met should leave the stock alone; it is stored before it is checked.
#include <assert.h>
#include <string.h>

struct article {
    const char *name;
    int stock;
};

static struct article store[] = { { "bolt", 40 }, { "nut", 25 }, { "gear", 3 } };

static struct article *find(const char *name)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(store[i].name, name) == 0)
            return &store[i];
    return 0;
}

static int reserve(const char *name, int amount)
{
    struct article *a = find(name);
    int left;

    if (!a)
        return 0;
    left = a->stock - amount;
    a->stock = left; //~ fault
    return left >= 0;
}

int main(void)
{
    assert(reserve("bolt", 15) && find("bolt")->stock == 25);
    assert(!reserve("wheel", 1));
    assert(!reserve("gear", 4));
    assert(find("gear")->stock == 3); //~ failure: assertion
    return 0;
}
