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
    size_t used = b->end - b->text; //~ relevance: enforcing
    size_t length = strlen(more); //~ relevance: enforcing, enforcing

    if (used + length + 1 > b->room) {
        char *larger = malloc(2 * b->room + length); //~ relevance: enforcing

        memcpy(larger, b->text, used); //~ relevance: irrelevant
        free(b->text);
        b->text = larger; //~ relevance: irrelevant
        b->room = 2 * b->room + length; //~ fault //~ relevance: irrelevant
    }
    memcpy(b->end, more, length + 1); //~ failure: use-after-free //~ relevance: irrelevant
    b->end += length; //~ relevance: enforcing
}

int main(void)
{
    struct builder b = { malloc(8), NULL, 8 }; //~ relevance: enforcing

    b.end = b.text; //~ relevance: enforcing
    append(&b, "one "); //~ relevance: enforcing, enforcing
    append(&b, "two "); //~ relevance: enforcing, enforcing
    append(&b, "three");
    puts(b.text);
    free(b.text);
    return 0;
}
