// Handles are numbers from 70000 on. One function takes the number itself for an address.
#include <stdint.h>

#define FIRST 70000

struct cell {
    int value;
};

static struct cell pool[4];

static struct cell *cell_of(long handle)
{
    return &pool[handle - FIRST]; //~ relevance: enforcing
}

static void set(long handle, int value)
{
    cell_of(handle)->value = value; //~ relevance: enforcing
}

static int get(long handle)
{
    struct cell *c = (struct cell *)(intptr_t)handle; //~ fault //~ relevance: enforcing

    return c->value; //~ failure: wild-pointer
}

int main(void)
{
    long handle = FIRST + 2; //~ relevance: enforcing

    set(handle, 5); //~ relevance: enforcing
    return get(handle) == 5 ? 0 : 1; //~ relevance: enforcing
}
