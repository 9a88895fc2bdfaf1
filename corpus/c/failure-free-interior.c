// Leading blanks are skipped, and then the pointer behind them is freed.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = malloc(16);
    char *p;
    size_t length;

    strcpy(line, "   indented");
    for (p = line; *p == ' '; p++)
        ;
    length = strlen(p);
    line = p; //~ fault
    if (length != 8)
        return 1;
    free(line); //~ failure: invalid-free
    return 0;
}
