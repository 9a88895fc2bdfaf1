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
        v->room = v->room ? v->room * 2 : 2; //~ relevance: enforcing
        v->data = realloc(v->data, v->room * sizeof *v->data); //~ relevance: enforcing
        v->moves++; //~ relevance: enforcing
    }
    v->data[v->count++] = value; //~ relevance: enforcing, enforcing
}

int main(void)
{
    struct vector v = { 0 }; //~ relevance: enforcing
    int *zeros = calloc(3, sizeof *zeros); //~ relevance: enforcing
    int sum = 0; //~ relevance: enforcing

    assert(zeros[0] + zeros[1] + zeros[2] == 0);
    free(zeros);
    free(NULL);
    for (int i = 1; i <= 4; i++) //~ relevance: enforcing, enforcing
        push(&v, i * i); //~ relevance: enforcing, enforcing
    for (int i = 0; i < v.count; i++) //~ relevance: enforcing, enforcing
        sum += v.data[i]; //~ relevance: enforcing
    assert(sum == 30);
    assert(v.moves == 2); //~ failure: assertion
    free(v.data);
    return 0;
}
