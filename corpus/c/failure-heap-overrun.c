// Squares in a table on the heap. The loop runs once more than there is room.
#include <stdlib.h>

static int *squares(int n)
{
    int *table = malloc(n * sizeof *table);

    if (!table)
        exit(0);
    for (int i = 0; i <= n; i++) //~ fault
        table[i] = i * i; //~ failure: out-of-bounds
    return table;
}

int main(void)
{
    int *table = squares(10);
    int last = table[9];

    free(table);
    return last == 81 ? 0 : 1;
}
