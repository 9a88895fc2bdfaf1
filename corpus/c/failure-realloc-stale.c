// A pointer into a list is kept while the list grows, and moves.
#include <stdio.h>
#include <stdlib.h>

static int *list;
static int used, room;

static int *append(int value)
{
    if (used == room) {
        int *larger = malloc((room * 2 + 2) * sizeof *larger); //~ relevance: enforcing

        for (int i = 0; i < used; i++) //~ relevance: enforcing, enforcing
            larger[i] = list[i]; //~ relevance: irrelevant
        free(list);
        list = larger; //~ relevance: enforcing
        room = room * 2 + 2; //~ relevance: enforcing
    }
    list[used] = value; //~ relevance: irrelevant
    return &list[used++]; //~ relevance: enforcing, enforcing
}

int main(void)
{
    int *first = append(1); //~ relevance: enforcing

    append(2); //~ relevance: irrelevant
    append(3); //~ fault //~ relevance: irrelevant
    *first = 10; //~ failure: use-after-free
    printf("%d\n", list[0]);
    free(list);
    return 0;
}
