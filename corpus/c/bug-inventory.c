// A reservation that cannot be met should leave the stock alone; it is stored before it is checked.
#include <assert.h>
#include <string.h>

struct article {
    const char *name;
    int stock;
};

static struct article store[] = { { "bolt", 40 }, { "nut", 25 }, { "gear", 3 } }; //~ relevance: enforcing, enforcing

static struct article *find(const char *name)
{
    for (int i = 0; i < 3; i++) //~ relevance: enforcing, enforcing
        if (strcmp(store[i].name, name) == 0) //~ relevance: enforcing, enforcing
            return &store[i]; //~ relevance: enforcing
    return 0; //~ relevance: enforcing
}

static int reserve(const char *name, int amount)
{
    struct article *a = find(name); //~ relevance: enforcing, enforcing
    int left;

    if (!a)
        return 0; //~ relevance: enforcing
    left = a->stock - amount; //~ relevance: enforcing
    a->stock = left; //~ fault //~ relevance: enforcing
    return left >= 0; //~ relevance: enforcing
}

int main(void)
{
    assert(reserve("bolt", 15) && find("bolt")->stock == 25); //~ relevance: enforcing, enforcing, enforcing
    assert(!reserve("wheel", 1)); //~ relevance: enforcing
    assert(!reserve("gear", 4)); //~ relevance: enforcing, enforcing
    assert(find("gear")->stock == 3); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
