// A copy of a text has no room for its terminator, and comparing it reads on.
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text, size_t length)
{
    char *result = malloc(length); //~ fault //~ relevance: enforcing

    for (size_t i = 0; i < length; i++) //~ relevance: enforcing, enforcing
        result[i] = text[i]; //~ relevance: enforcing
    return result; //~ relevance: enforcing
}

static int count(const char *text, char wanted)
{
    int n = 0; //~ relevance: enforcing

    while (*text) //~ failure: out-of-bounds
        if (*text++ == wanted) //~ relevance: enforcing
            n++; //~ relevance: enforcing
    return n;
}

int main(void)
{
    char *word = copy("banana split", 6); //~ relevance: enforcing, enforcing, enforcing
    int n = count(word, 'a'); //~ relevance: enforcing, enforcing

    free(word);
    return n == 3 ? 0 : 1;
}
