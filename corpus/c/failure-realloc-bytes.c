// A table is enlarged by elements, but realloc counts bytes.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t room = 8;
    short *heights = malloc(room * sizeof *heights);

    for (size_t i = 0; i < room; i++)
        heights[i] = (short)(100 + i);
    room = 12;
    heights = realloc(heights, room); //~ fault
    for (size_t i = 8; i < room; i++)
        heights[i] = 0; //~ failure: out-of-bounds
    printf("%d\n", heights[7]);
    free(heights);
    return 0;
}
