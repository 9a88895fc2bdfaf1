// Closing a session frees it, but the table of sessions still knows it.
#include <stdlib.h>

struct session {
    int user;
    int requests;
};

static struct session *table[4];

static void open_session(int slot, int user)
{
    table[slot] = malloc(sizeof **table); //~ relevance: enforcing
    table[slot]->user = user; //~ relevance: irrelevant
    table[slot]->requests = 0; //~ relevance: irrelevant
}

static void close_session(int slot)
{
    free(table[slot]); //~ fault
}

static int total_requests(void)
{
    int total = 0; //~ relevance: enforcing

    for (int slot = 0; slot < 4; slot++) //~ relevance: enforcing, enforcing
        if (table[slot])
            total += table[slot]->requests; //~ failure: use-after-free //~ relevance: irrelevant
    return total;
}

int main(void)
{
    open_session(0, 7); //~ relevance: enforcing
    open_session(1, 8); //~ relevance: enforcing
    table[0]->requests = 2; //~ relevance: irrelevant
    table[1]->requests = 3; //~ relevance: irrelevant
    close_session(1); //~ relevance: enforcing
    return total_requests() == 2 ? 0 : 1;
}
