// Trims blanks from the end of a line; a line of blanks only leads before its beginning.
#include <stdlib.h>
#include <string.h>

static void trim(char *line)
{
    size_t n = strlen(line);
    char *end = line + n - 1;

    while (*end == ' ') //~ fault
        *end-- = '\0';
    //~^^ failure: out-of-bounds
}

int main(void)
{
    char *line = malloc(8);
    int length;

    strcpy(line, "go   ");
    trim(line);
    strcpy(line, "   ");
    trim(line);
    length = (int)strlen(line);
    free(line);
    return length;
}
