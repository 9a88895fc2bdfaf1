// A copy of a text has no room for its terminator, and comparing it reads on.
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text, size_t length)
{
    char *result = malloc(length); //~ fault

    for (size_t i = 0; i < length; i++)
        result[i] = text[i];
    return result;
}

static int count(const char *text, char wanted)
{
    int n = 0;

    while (*text) //~ failure: out-of-bounds
        if (*text++ == wanted)
            n++;
    return n;
}

int main(void)
{
    char *word = copy("banana split", 6);
    int n = count(word, 'a');

    free(word);
    return n == 3 ? 0 : 1;
}
