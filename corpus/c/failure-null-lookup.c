// A phone book. The look-up misses its last entry, answers NULL, and nobody asks.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct person {
    const char *name;
    int extension;
};

static struct person book[] = { { "Ada", 101 }, { "Grace", 102 }, { "Mary", 103 } };

static struct person *find(const char *name)
{
    for (size_t i = 0; i + 1 < sizeof book / sizeof *book; i++) //~ fault //~ relevance: enforcing, enforcing
        if (strcmp(book[i].name, name) == 0) //~ relevance: enforcing, enforcing
            return &book[i]; //~ relevance: enforcing
    return NULL; //~ relevance: enforcing
}

static int extension(const char *name)
{
    struct person *p = find(name); //~ relevance: enforcing, enforcing

    return p->extension; //~ failure: null-dereference //~ relevance: irrelevant
}

int main(void)
{
    printf("%d\n", extension("Grace")); //~ relevance: enforcing
    printf("%d\n", extension("Mary")); //~ relevance: enforcing
    return 0;
}
