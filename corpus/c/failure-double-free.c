// Two names share one buffer. The second owner frees it once more.
#include <stdlib.h>
#include <string.h>

struct record {
    char *name;
    int shared;
};

static void copy(struct record *to, const struct record *from)
{
    to->name = from->name;
    to->shared = from->shared; //~ fault
}

static void drop(struct record *r)
{
    if (!r->shared)
        free(r->name); //~ failure: double-free
    r->name = NULL;
}

int main(void)
{
    struct record a = { malloc(8), 0 };
    struct record b;

    strcpy(a.name, "master");
    copy(&b, &a);
    drop(&a);
    drop(&b);
    return 0;
}
