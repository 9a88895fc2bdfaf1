// realloc may move the block: its result is dropped, and the old pointer used.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int room = 4; //~ relevance: enforcing
    long *table = malloc(room * sizeof *table); //~ relevance: enforcing
    long *grown;
    long sum = 0; //~ relevance: irrelevant

    for (int i = 0; i < room; i++) //~ relevance: enforcing, enforcing
        table[i] = i; //~ relevance: irrelevant
    room = 64; //~ relevance: enforcing
    grown = realloc(table, room * sizeof *table); //~ relevance: enforcing
    if (!grown)
        return 1;
    grown[63] = 1; //~ fault //~ relevance: irrelevant
    for (int i = 0; i < 4; i++) //~ relevance: enforcing
        sum += table[i]; //~ failure: use-after-free
    printf("%ld\n", sum);
    free(grown);
    return 0;
}
