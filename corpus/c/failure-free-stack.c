// Short texts live in the caller's buffer, long ones on the heap. Only the latter may be freed.
#include <stdlib.h>
#include <string.h>

static char *keep(const char *text, char *buffer, size_t room)
{
    char *result = buffer;

    if (strlen(text) >= room)
        result = malloc(strlen(text) + 1);
    strcpy(result, text);
    return result;
}

static int measure(const char *text)
{
    char buffer[8];
    char *kept = keep(text, buffer, sizeof buffer);
    int length = (int)strlen(kept);

    if (length > 0) //~ fault
        free(kept); //~ failure: invalid-free
    return length;
}

int main(void)
{
    int total = measure("a long sentence");

    total += measure("short");
    return total == 20 ? 0 : 1;
}
