//@ args: 640 480 320
// Wrong argument: a picture is scaled to a given width. The new height is computed from the old height
// and the new width, where the old width is meant.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct size {
    int width, height;
};

/* `value` of `whole`, if the whole becomes `other`. */
static int in_proportion(int value, int whole, int other)
{
    return value * other / whole;
}

static struct size scaled(struct size old, int width)
{
    struct size new;

    new.width = width;
    new.height = in_proportion(old.height, width, width); //~ fault //~ cascade
    return new;
}

int main(int argc, char **argv)
{
    struct size picture, small;

    if (argc != 4)
        return 1;
    picture.width = atoi(argv[1]);
    picture.height = atoi(argv[2]);
    small = scaled(picture, atoi(argv[3]));
    printf("%d x %d\n", small.width, small.height);
    assert(small.width * picture.height == small.height * picture.width); //~ failure: assertion
    return 0;
}
