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
    const struct city *left = a, *right = b; //~ relevance: enforcing, enforcing

    return strcmp(left->name, right->name); //~ relevance: enforcing, enforcing, enforcing
}

static int by_people(const void *a, const void *b)
{
    const struct city *left = a, *right = b; //~ relevance: enforcing, enforcing

    return (left->people < right->people) - (left->people > right->people); //~ fault //~ relevance: enforcing
}

int main(void)
{
    struct city cities[] = { { "Marlow", 14 }, { "Bath", 94 }, { "Marden", 3 }, { "York", 141 } };
    //~^ relevance: enforcing
    struct city key = { "Marlow", 0 }; //~ relevance: enforcing
    struct city *found;

    qsort(cities, 4, sizeof *cities, by_name); //~ relevance: enforcing, enforcing, enforcing, enforcing
    found = bsearch(&key, cities, 4, sizeof *cities, by_name);
    //~^ relevance: enforcing, enforcing, enforcing, enforcing, enforcing, enforcing
    assert(found == cities + 2 && found->people == 14);
    key.name = "Oxford"; //~ relevance: enforcing
    assert(bsearch(&key, cities, 4, sizeof *cities, by_name) == NULL);
    //~^ relevance: enforcing, enforcing, enforcing, enforcing, enforcing
    qsort(cities, 4, sizeof *cities, by_people); //~ relevance: enforcing, enforcing, enforcing, enforcing
    assert(strcmp(cities[0].name, "Marden") == 0); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
