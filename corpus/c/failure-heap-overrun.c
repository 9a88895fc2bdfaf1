// Squares in a table on the heap. The loop runs once more than there is room.
#include <stdlib.h>

static int *squares(int n)
{
    int *table = malloc(n * sizeof *table); //~ relevance: enforcing

    if (!table)
        exit(0);
    for (int i = 0; i <= n; i++) //~ fault //~ relevance: enforcing, enforcing
        table[i] = i * i; //~ failure: out-of-bounds //~ relevance: irrelevant
    return table;
}

int main(void)
{
    int *table = squares(10); //~ relevance: enforcing
    int last = table[9];

    free(table);
    return last == 81 ? 0 : 1;
}
