// Through a field of a struct: a stack of plates has room for a few. When it is made it is called full,
// so nothing can be put on it.
#include <assert.h>
#include <stdlib.h>

struct stack {
    int *plates;
    int room;
    int size;
};

static struct stack *make(int room)
{
    struct stack *stack = malloc(sizeof *stack);

    if (!stack)
        exit(1);
    stack->plates = malloc(room * sizeof *stack->plates);
    stack->size = room; //~ fault //~ cascade
    stack->room = room;
    return stack;
}

static int put(struct stack *stack, int plate)
{
    int done = 0;

    if (stack->size < stack->room) {
        stack->plates[stack->size++] = plate;
        done = 1;
    }
    return done;
}

int main(void)
{
    struct stack *stack = make(4);
    int done = put(stack, 25);

    assert(done); //~ failure: assertion
    free(stack->plates);
    free(stack);
    return 0;
}
