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
    size_t length = strlen(text) + 1; //~ relevance: enforcing, enforcing
    struct message *m = malloc(sizeof *m + length); //~ relevance: enforcing

    m->kind = kind; //~ relevance: enforcing
    m->length = (unsigned char)length; //~ fault //~ relevance: enforcing
    memcpy(m->text, text, length); //~ relevance: enforcing
    return m; //~ relevance: enforcing
}

int main(void)
{
    struct message *m = make(513, "ping"); //~ relevance: enforcing, enforcing, enforcing
    char last = m->text[m->length - 1]; //~ relevance: enforcing

    assert(offsetof(struct message, text) == 3 && ((unsigned char *)m)[1] == 2);
    assert(strcmp(m->text, "ping") == 0); //~ relevance: enforcing, enforcing
    free(m);
    assert(last == 'g'); //~ failure: assertion
    return 0;
}
