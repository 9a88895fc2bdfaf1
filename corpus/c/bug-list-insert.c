// Inserts into a sorted list. A value that belongs in front is linked behind the head.
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *insert(struct node *list, int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    struct node *at = list;

    fresh->value = value;
    fresh->next = NULL;
    if (list == NULL) //~ fault
        return fresh->next = list, fresh;
    while (at->next && at->next->value < value)
        at = at->next;
    fresh->next = at->next;
    at->next = fresh;
    return list;
}

static int is_sorted(const struct node *list)
{
    for (; list && list->next; list = list->next)
        if (list->value > list->next->value)
            return 0;
    return 1;
}

int main(void)
{
    struct node *list = NULL;
    int values[] = { 4, 9, 6, 2 };

    for (int i = 0; i < 4; i++) {
        list = insert(list, values[i]);
        assert(is_sorted(list)); //~ failure: assertion
    }
    return 0;
}
