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
    for (size_t i = 0; i + 1 < sizeof book / sizeof *book; i++) //~ fault
        if (strcmp(book[i].name, name) == 0)
            return &book[i];
    return NULL;
}

static int extension(const char *name)
{
    struct person *p = find(name);

    return p->extension; //~ failure: null-dereference
}

int main(void)
{
    printf("%d\n", extension("Grace"));
    printf("%d\n", extension("Mary"));
    return 0;
}
