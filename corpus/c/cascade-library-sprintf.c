//@ args: 9 5
// Through a string that snprintf writes, which is trusted: the place of a thing is written as a shelf and
// a box, and read again. The number of the box was taken from the shelf.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
    int shelf, box;
};

static void encode(char *text, size_t room, struct place place)
{
    snprintf(text, room, "S%02d-%03d", place.shelf, place.box);
}

static int box_of(const char *text)
{
    const char *dash = strchr(text, '-');

    return dash ? atoi(dash + 1) : -1;
}

int main(int argc, char **argv)
{
    char text[16];
    struct place place;

    if (argc != 3)
        return 1;
    place.shelf = atoi(argv[1]);
    place.box = atoi(argv[1]); //~ fault //~ cascade
    encode(text, sizeof text, place);

    int box = box_of(text);

    assert(box == atoi(argv[2])); //~ failure: assertion
    return 0;
}
