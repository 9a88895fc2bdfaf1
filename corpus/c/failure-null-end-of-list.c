// The last node of a list is searched with one step too many.
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static int last(struct node *list)
{
    while (list) //~ fault
        list = list->next; //~ relevance: enforcing
    return list->value; //~ failure: null-dereference
}

int main(void)
{
    struct node c = { 3, NULL }; //~ relevance: enforcing
    struct node b = { 2, &c }; //~ relevance: enforcing
    struct node a = { 1, &b }; //~ relevance: enforcing

    return last(&a) == 3 ? 0 : 1; //~ relevance: enforcing
}
