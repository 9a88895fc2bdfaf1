// Paper 5, Table I: a value on the heap is written through one pointer and read through another.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int width = 2, height = 3; //~ relevance: enforcing
    int *box = malloc(2 * sizeof(int)); //~ relevance: enforcing
    int *second = box + 1; //~ relevance: enforcing

    width = width + 2; //~ fault //~ relevance: enforcing
    box[1] = width; //~ relevance: enforcing
    box[0] = height; //~ relevance: irrelevant
    if (width > 4)
        box[1] = 3;
    assert(*second == 3); //~ failure: assertion
    free(box);
    return 0;
}
