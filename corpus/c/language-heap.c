// A growing vector on the heap: malloc, realloc, calloc and free. It grows before it is full.
#include <assert.h>
#include <stdlib.h>

struct vector {
    int *data;
    int count, room, moves;
};

static void push(struct vector *v, int value)
{
    if (v->count + 1 >= v->room) { //~ fault
        v->room = v->room ? v->room * 2 : 2;
        v->data = realloc(v->data, v->room * sizeof *v->data);
        v->moves++;
    }
    v->data[v->count++] = value;
}

int main(void)
{
    struct vector v = { 0 };
    int *zeros = calloc(3, sizeof *zeros);
    int sum = 0;

    assert(zeros[0] + zeros[1] + zeros[2] == 0);
    free(zeros);
    free(NULL);
    for (int i = 1; i <= 4; i++)
        push(&v, i * i);
    for (int i = 0; i < v.count; i++)
        sum += v.data[i];
    assert(sum == 30);
    assert(v.moves == 2); //~ failure: assertion
    free(v.data);
    return 0;
}
