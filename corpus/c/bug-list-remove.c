// Removes a node from a list, and goes on from the node that is no longer there.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    n->next = list;
    return n;
}

static void remove_all(struct node **list, int value)
{
    struct node **link = list;

    while (*link) { //~ failure: use-after-free
        struct node *n = *link;

        if (n->value == value) {
            *link = n->next;
            link = &n->next; //~ fault
            free(n);
        } else {
            link = &n->next;
        }
    }
}

int main(void)
{
    struct node *list = push(push(push(push(NULL, 1), 2), 2), 3);
    int count = 0;

    remove_all(&list, 2);
    for (struct node *n = list; n; n = n->next)
        count++;
    printf("%d\n", count);
    return 0;
}
