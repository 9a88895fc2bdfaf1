// Paper 5, Table I: a value on the heap is written through one pointer and read through another.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int width = 2, height = 3;
    int *box = malloc(2 * sizeof(int));
    int *second = box + 1;

    width = width + 2; //~ fault
    box[1] = width;
    box[0] = height;
    if (width > 4)
        box[1] = 3;
    assert(*second == 3); //~ failure: assertion
    free(box);
    return 0;
}
