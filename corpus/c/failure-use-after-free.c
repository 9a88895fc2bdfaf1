// Closing a session frees it, but the table of sessions still knows it.
#include <stdlib.h>

struct session {
    int user;
    int requests;
};

static struct session *table[4];

static void open_session(int slot, int user)
{
    table[slot] = malloc(sizeof **table);
    table[slot]->user = user;
    table[slot]->requests = 0;
}

static void close_session(int slot)
{
    free(table[slot]); //~ fault
}

static int total_requests(void)
{
    int total = 0;

    for (int slot = 0; slot < 4; slot++)
        if (table[slot])
            total += table[slot]->requests; //~ failure: use-after-free
    return total;
}

int main(void)
{
    open_session(0, 7);
    open_session(1, 8);
    table[0]->requests = 2;
    table[1]->requests = 3;
    close_session(1);
    return total_requests() == 2 ? 0 : 1;
}
