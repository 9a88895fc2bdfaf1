// Short texts live in the caller's buffer, long ones on the heap. Only the latter may be freed.
#include <stdlib.h>
#include <string.h>

static char *keep(const char *text, char *buffer, size_t room)
{
    char *result = buffer; //~ relevance: enforcing

    if (strlen(text) >= room) //~ relevance: enforcing
        result = malloc(strlen(text) + 1); //~ relevance: enforcing, enforcing
    strcpy(result, text); //~ relevance: enforcing, enforcing
    return result; //~ relevance: enforcing
}

static int measure(const char *text)
{
    char buffer[8];
    char *kept = keep(text, buffer, sizeof buffer); //~ relevance: enforcing, enforcing, enforcing, enforcing
    int length = (int)strlen(kept); //~ relevance: enforcing, enforcing

    if (length > 0) //~ fault
        free(kept); //~ failure: invalid-free
    return length; //~ relevance: irrelevant
}

int main(void)
{
    int total = measure("a long sentence"); //~ relevance: enforcing

    total += measure("short"); //~ relevance: enforcing
    return total == 20 ? 0 : 1;
}
