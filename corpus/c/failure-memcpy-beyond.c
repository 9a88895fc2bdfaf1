// Appends a packet to a buffer; the room that is left is forgotten.
#include <stdlib.h>
#include <string.h>

struct buffer {
    unsigned char *bytes;
    size_t used, size;
};

static int append(struct buffer *b, const void *data, size_t n)
{
    if (n > b->size) //~ fault
        return 0;
    memcpy(b->bytes + b->used, data, n); //~ failure: out-of-bounds //~ relevance: irrelevant
    b->used += n; //~ relevance: enforcing
    return 1; //~ relevance: irrelevant
}

int main(void)
{
    struct buffer b = { malloc(16), 0, 16 }; //~ relevance: enforcing
    int appended = 0; //~ relevance: enforcing

    appended += append(&b, "0123456789", 10); //~ relevance: enforcing, enforcing, enforcing
    appended += append(&b, "abcdefgh", 8); //~ relevance: enforcing, enforcing
    free(b.bytes);
    return appended == 1 ? 0 : 1;
}
