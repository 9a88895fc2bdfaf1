// A list of songs. Those that are too long for the radio are removed.
//
// What is wrong: the loop goes on from a song that has been freed.
// Try: whydunit examples/playlist.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct song {
    char title[24];
    int seconds;
    struct song *next;
};

static struct song *first;

static void add(const char *title, int seconds)
{
    struct song *song = malloc(sizeof *song);

    if (song == NULL)
        exit(1);
    strcpy(song->title, title);
    song->seconds = seconds;
    song->next = first;
    first = song;
}

static void delete(struct song *gone)
{
    struct song **link = &first;

    while (*link != gone)
        link = &(*link)->next;
    *link = gone->next;
    free(gone);
}

int main(void)
{
    add("Air", 310);
    add("Badinerie", 85);
    add("Chaconne", 840);
    add("Double", 190);
    for (struct song *song = first; song != NULL; song = song->next)
        if (song->seconds > 240)
            delete(song);
    for (struct song *song = first; song != NULL; song = song->next)
        printf("%s\n", song->title);
    return 0;
}
