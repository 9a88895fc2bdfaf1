// A list is freed from its head; the next node is read out of the node that has just been freed.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n); //~ relevance: enforcing

    n->next = list; //~ relevance: irrelevant
    n->value = value; //~ relevance: irrelevant
    return n; //~ relevance: enforcing
}

static int clear(struct node *list)
{
    int freed = 0; //~ relevance: enforcing

    while (list) {
        struct node *done = list; //~ relevance: enforcing

        free(done); //~ fault
        freed++; //~ relevance: irrelevant
        list = done->next; //~ failure: use-after-free
    }
    return freed;
}

int main(void)
{
    struct node *list = push(push(push(NULL, 1), 2), 3); //~ relevance: enforcing

    return clear(list) == 3 ? 0 : 1; //~ relevance: enforcing
}
