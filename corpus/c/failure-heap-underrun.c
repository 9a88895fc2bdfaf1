// Trims blanks from the end of a line; a line of blanks only leads before its beginning.
#include <stdlib.h>
#include <string.h>

static void trim(char *line)
{
    size_t n = strlen(line); //~ relevance: enforcing, enforcing
    char *end = line + n - 1; //~ relevance: enforcing

    while (*end == ' ') //~ fault
        *end-- = '\0'; //~ relevance: enforcing
    //~^^ failure: out-of-bounds
}

int main(void)
{
    char *line = malloc(8); //~ relevance: enforcing
    int length;

    strcpy(line, "go   "); //~ relevance: enforcing, enforcing
    trim(line); //~ relevance: enforcing
    strcpy(line, "   "); //~ relevance: enforcing, enforcing
    trim(line); //~ relevance: enforcing
    length = (int)strlen(line);
    free(line);
    return length;
}
