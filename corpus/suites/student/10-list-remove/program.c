// As reference.c, but it walks on to the next link after a removal.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *new = malloc(sizeof *new);

    new->value = value;
    new->next = list;
    return new;
}

static struct node *remove_all(struct node *list, int value)
{
    struct node **link = &list;

    while (*link != NULL) {
        struct node *node = *link;

        if (node->value == value) {
            *link = node->next;
            free(node);
            if (*link == NULL)
                break;
        }
        link = &(*link)->next; //~ fault
    }
    return list;
}

int main(void)
{
    struct node *list = NULL;
    int unwanted;
    int value;

    if (scanf("%d", &unwanted) != 1)
        return 1;
    while (scanf("%d", &value) == 1)
        list = push(list, value);
    list = remove_all(list, unwanted);
    for (struct node *node = list; node != NULL; node = node->next)
        printf("%d\n", node->value);
    return 0;
}
