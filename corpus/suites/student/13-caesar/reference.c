// Shifts letters by a number of places.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static int shifted(int c, int places)
{
    int first = isupper(c) ? 'A' : 'a';
    int place = (c - first + places) % 26;

    if (place < 0)
        place += 26;
    return first + place;
}

int main(int argc, char **argv)
{
    int places = argc > 1 ? atoi(argv[1]) : 13;
    int c;

    while ((c = getchar()) != EOF) {
        if (isalpha(c))
            c = shifted(c, places);
        putchar(c);
    }
    return 0;
}
