// Stale pointer: the best player is remembered by address while the list of players grows and moves. The
// address is read again after that.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct player {
    char name[12];
    int points;
};

static struct player *players;
static int used, room;

static struct player *enter(const char *name, int points)
{
    if (used == room) {
        room = room ? room * 2 : 2;
        players = realloc(players, room * sizeof *players);
        if (!players)
            exit(1);
    }
    strcpy(players[used].name, name);
    players[used].points = points;
    return &players[used++];
}

int main(void)
{
    struct player *best = enter("Ines", 14); //~ fault //~ cascade
    struct player *next;

    next = enter("Olaf", 9);
    if (next->points > best->points)
        best = next;
    next = enter("Yuki", 11);
    if (next->points > best->points) //~ failure: use-after-free
        best = next;
    printf("%s wins\n", best->name);
    free(players);
    return 0;
}
