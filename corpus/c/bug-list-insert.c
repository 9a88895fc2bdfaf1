// Inserts into a sorted list. A value that belongs in front is linked behind the head.
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *insert(struct node *list, int value)
{
    struct node *fresh = malloc(sizeof *fresh); //~ relevance: enforcing
    struct node *at = list; //~ relevance: enforcing

    fresh->value = value; //~ relevance: enforcing
    fresh->next = NULL; //~ relevance: irrelevant
    if (list == NULL) //~ fault
        return fresh->next = list, fresh; //~ relevance: enforcing, enforcing
    while (at->next && at->next->value < value)
        at = at->next;
    fresh->next = at->next; //~ relevance: enforcing
    at->next = fresh; //~ relevance: enforcing
    return list; //~ relevance: enforcing
}

static int is_sorted(const struct node *list)
{
    for (; list && list->next; list = list->next) //~ relevance: enforcing
        if (list->value > list->next->value)
            return 0; //~ relevance: enforcing
    return 1; //~ relevance: enforcing
}

int main(void)
{
    struct node *list = NULL; //~ relevance: enforcing
    int values[] = { 4, 9, 6, 2 }; //~ relevance: enforcing

    for (int i = 0; i < 4; i++) { //~ relevance: enforcing, enforcing
        list = insert(list, values[i]); //~ relevance: enforcing, enforcing, enforcing
        assert(is_sorted(list)); //~ failure: assertion //~ relevance: enforcing
    }
    return 0;
}
