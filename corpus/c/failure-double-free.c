// Two names share one buffer. The second owner frees it once more.
#include <stdlib.h>
#include <string.h>

struct record {
    char *name;
    int shared;
};

static void copy(struct record *to, const struct record *from)
{
    to->name = from->name; //~ relevance: enforcing
    to->shared = from->shared; //~ fault //~ relevance: enforcing
}

static void drop(struct record *r)
{
    if (!r->shared)
        free(r->name); //~ failure: double-free
    r->name = NULL; //~ relevance: irrelevant
}

int main(void)
{
    struct record a = { malloc(8), 0 }; //~ relevance: enforcing
    struct record b;

    strcpy(a.name, "master"); //~ relevance: enforcing, enforcing
    copy(&b, &a); //~ relevance: enforcing, enforcing
    drop(&a); //~ relevance: enforcing
    drop(&b); //~ relevance: enforcing
    return 0;
}
