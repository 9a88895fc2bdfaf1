// A list is freed from its head; the next node is read out of the node that has just been freed.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n);

    n->next = list;
    n->value = value;
    return n;
}

static int clear(struct node *list)
{
    int freed = 0;

    while (list) {
        struct node *done = list;

        free(done); //~ fault
        freed++;
        list = done->next; //~ failure: use-after-free
    }
    return freed;
}

int main(void)
{
    struct node *list = push(push(push(NULL, 1), 2), 3);

    return clear(list) == 3 ? 0 : 1;
}
