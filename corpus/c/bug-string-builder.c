// A growing text on the heap. After it has moved, the place to write is still in the old block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    char *text;
    char *end;
    size_t room;
};

static void append(struct builder *b, const char *more)
{
    size_t used = b->end - b->text;
    size_t length = strlen(more);

    if (used + length + 1 > b->room) {
        char *larger = malloc(2 * b->room + length);

        memcpy(larger, b->text, used);
        free(b->text);
        b->text = larger;
        b->room = 2 * b->room + length; //~ fault
    }
    memcpy(b->end, more, length + 1); //~ failure: use-after-free
    b->end += length;
}

int main(void)
{
    struct builder b = { malloc(8), NULL, 8 };

    b.end = b.text;
    append(&b, "one ");
    append(&b, "two ");
    append(&b, "three");
    puts(b.text);
    free(b.text);
    return 0;
}
