// Globals that point to other globals, into the middle of arrays, and to functions.
#include <assert.h>

static int table[4] = { 10, 20, 30, 40 };
static int *third = &table[2];
static int **route = &third;

struct node {
    const char *name;
    const struct node *next;
    int *value;
};

static const struct node last = { "last", 0, table + 3 };
static const struct node first = { "first", &last, table };

static int sum(const struct node *n)
{
    int result = 0;

    for (; n; n = n->next)
        result += *n->value;
    return result;
}

int main(void)
{
    assert(first.next->name[1] == 'a' && **route == 30);
    **route = 31;
    *(*route - 1) = 60; //~ fault
    assert(table[2] == 31);
    assert(sum(&first) == 70); //~ failure: assertion
    return 0;
}
