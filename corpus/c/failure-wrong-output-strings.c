//@ expect: failure-wrong-output-strings.out
// A table of cities with a word for their size. The limit between village and town is ten times too high.
#include <stdio.h>

struct city {
    const char *name;
    long people;
    char country;
};

static const char *size_of(long people)
{
    if (people > 1000000)
        return "city";
    if (people > 100000) //~ fault
        return "town";
    return "village";
}

int main(void)
{
    static const struct city cities[] = {
        { "Lavenham", 1722, 'E' }, { "Stirling", 37910, 'S' }, { "Glasgow", 1028000, 'S' },
    };

    puts("name       size");
    for (int i = 0; i < 3; i++) {
        const char *size = size_of(cities[i].people);

        printf("%-10s %c %s\n", cities[i].name, cities[i].country, size); //~ failure: wrong-output
    }
    return 0;
}
