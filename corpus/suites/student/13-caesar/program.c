// As reference.c, but a shift to the left leaves the alphabet.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static int shifted(int c, int places)
{
    int first = isupper(c) ? 'A' : 'a';
    int place = (c - first + places) % 26;

    return first + place; //~ fault
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
