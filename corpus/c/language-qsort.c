// qsort and bsearch with callbacks of our own. The smallest city should come first.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct city {
    const char *name;
    int people;
};

static int by_name(const void *a, const void *b)
{
    const struct city *left = a, *right = b;

    return strcmp(left->name, right->name);
}

static int by_people(const void *a, const void *b)
{
    const struct city *left = a, *right = b;

    return (left->people < right->people) - (left->people > right->people); //~ fault
}

int main(void)
{
    struct city cities[] = { { "Marlow", 14 }, { "Bath", 94 }, { "Marden", 3 }, { "York", 141 } };
    struct city key = { "Marlow", 0 };
    struct city *found;

    qsort(cities, 4, sizeof *cities, by_name);
    found = bsearch(&key, cities, 4, sizeof *cities, by_name);
    assert(found == cities + 2 && found->people == 14);
    key.name = "Oxford";
    assert(bsearch(&key, cities, 4, sizeof *cities, by_name) == NULL);
    qsort(cities, 4, sizeof *cities, by_people);
    assert(strcmp(cities[0].name, "Marden") == 0); //~ failure: assertion
    return 0;
}
