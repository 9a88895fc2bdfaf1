// realloc may move the block: its result is dropped, and the old pointer used.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int room = 4;
    long *table = malloc(room * sizeof *table);
    long *grown;
    long sum = 0;

    for (int i = 0; i < room; i++)
        table[i] = i;
    room = 64;
    grown = realloc(table, room * sizeof *table);
    if (!grown)
        return 1;
    grown[63] = 1; //~ fault
    for (int i = 0; i < 4; i++)
        sum += table[i]; //~ failure: use-after-free
    printf("%ld\n", sum);
    free(grown);
    return 0;
}
