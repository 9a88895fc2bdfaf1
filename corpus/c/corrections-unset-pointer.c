/* A pointer that was never set is compared. With null instead, which it may well have been, nothing would fail. */
#include <assert.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node first;
    int count = 1;

    first.value = 4; //~ fault
    for (struct node *node = first.next; node != NULL; node = node->next) //~ failure: uninitialised //~ changes
        count++;
    assert(count == 1);
    return 0;
}
