// Leading blanks are skipped, and then the pointer behind them is freed.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = malloc(16); //~ relevance: enforcing
    char *p;
    size_t length;

    strcpy(line, "   indented"); //~ relevance: enforcing, enforcing
    for (p = line; *p == ' '; p++) //~ relevance: enforcing, enforcing
        ;
    length = strlen(p); //~ relevance: enforcing, enforcing
    line = p; //~ fault //~ relevance: enforcing
    if (length != 8)
        return 1;
    free(line); //~ failure: invalid-free
    return 0;
}
