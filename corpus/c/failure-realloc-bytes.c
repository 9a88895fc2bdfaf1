// A table is enlarged by elements, but realloc counts bytes.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t room = 8; //~ relevance: enforcing
    short *heights = malloc(room * sizeof *heights); //~ relevance: enforcing

    for (size_t i = 0; i < room; i++) //~ relevance: enforcing, enforcing
        heights[i] = (short)(100 + i); //~ relevance: irrelevant
    room = 12; //~ relevance: enforcing
    heights = realloc(heights, room); //~ fault //~ relevance: enforcing
    for (size_t i = 8; i < room; i++) //~ relevance: enforcing
        heights[i] = 0; //~ failure: out-of-bounds
    printf("%d\n", heights[7]);
    free(heights);
    return 0;
}
