// A message with a flexible array member, allocated with its text; the length counts no terminator.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct message {
    unsigned short kind;
    unsigned char length;
    char text[];
};

static struct message *make(unsigned short kind, const char *text)
{
    size_t length = strlen(text) + 1;
    struct message *m = malloc(sizeof *m + length);

    m->kind = kind;
    m->length = (unsigned char)length; //~ fault
    memcpy(m->text, text, length);
    return m;
}

int main(void)
{
    struct message *m = make(513, "ping");
    char last = m->text[m->length - 1];

    assert(offsetof(struct message, text) == 3 && ((unsigned char *)m)[1] == 2);
    assert(strcmp(m->text, "ping") == 0);
    free(m);
    assert(last == 'g'); //~ failure: assertion
    return 0;
}
