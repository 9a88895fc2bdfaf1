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
    memcpy(b->bytes + b->used, data, n); //~ failure: out-of-bounds
    b->used += n;
    return 1;
}

int main(void)
{
    struct buffer b = { malloc(16), 0, 16 };
    int appended = 0;

    appended += append(&b, "0123456789", 10);
    appended += append(&b, "abcdefgh", 8);
    free(b.bytes);
    return appended == 1 ? 0 : 1;
}
