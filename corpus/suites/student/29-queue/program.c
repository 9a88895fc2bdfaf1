// As reference.c, but equal neighbours count as descents, and negative numbers are never the largest.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *first = NULL;
static struct node *last = NULL;

static void append(int value)
{
    struct node *node = malloc(sizeof *node);

    node->value = value;
    node->next = NULL;
    if (first == NULL)
        first = node;
    else
        last->next = node;
    last = node;
}

static void take(void)
{
    struct node *node = first;

    if (node == NULL)
        return;
    first = node->next;
    free(node);
}

static int descents(void)
{
    int count = 0;

    for (struct node *node = first; node->next != NULL; node = node->next)
        if (node->value >= node->next->value) //~ fault
            count++;
    return count;
}

static int largest(void)
{
    int max = 0; //~ fault

    for (struct node *node = first; node != NULL; node = node->next)
        if (node->value > max)
            max = node->value;
    return max;
}

int main(void)
{
    int value;

    while (scanf("%d", &value) == 1) {
        if (value == 0)
            take();
        else
            append(value);
    }
    if (first == NULL) {
        printf("empty\n");
        return 0;
    }
    printf("descents: %d\n", descents());
    printf("largest: %d\n", largest());
    return 0;
}
