// A pointer into a list is kept while the list grows, and moves.
#include <stdio.h>
#include <stdlib.h>

static int *list;
static int used, room;

static int *append(int value)
{
    if (used == room) {
        int *larger = malloc((room * 2 + 2) * sizeof *larger);

        for (int i = 0; i < used; i++)
            larger[i] = list[i];
        free(list);
        list = larger;
        room = room * 2 + 2;
    }
    list[used] = value;
    return &list[used++];
}

int main(void)
{
    int *first = append(1);

    append(2);
    append(3); //~ fault
    *first = 10; //~ failure: use-after-free
    printf("%d\n", list[0]);
    free(list);
    return 0;
}
