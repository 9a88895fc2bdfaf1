// Removes a node from a list, and goes on from the node that is no longer there.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n); //~ relevance: enforcing

    n->value = value; //~ relevance: enforcing
    n->next = list; //~ relevance: enforcing
    return n; //~ relevance: enforcing
}

static void remove_all(struct node **list, int value)
{
    struct node **link = list; //~ relevance: enforcing

    while (*link) { //~ failure: use-after-free
        struct node *n = *link; //~ relevance: enforcing

        if (n->value == value) {
            *link = n->next; //~ relevance: irrelevant
            link = &n->next; //~ fault //~ relevance: enforcing
            free(n);
        } else {
            link = &n->next; //~ relevance: enforcing
        }
    }
}

int main(void)
{
    struct node *list = push(push(push(push(NULL, 1), 2), 2), 3);
    //~^ relevance: enforcing, enforcing, enforcing, enforcing
    int count = 0; //~ relevance: irrelevant

    remove_all(&list, 2); //~ relevance: enforcing, enforcing
    for (struct node *n = list; n; n = n->next)
        count++;
    printf("%d\n", count);
    return 0;
}
