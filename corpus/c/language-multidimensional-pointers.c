// A jagged table of rows on the heap, reached through a pointer to pointers.
#include <assert.h>
#include <stdlib.h>

static int **triangle(int rows)
{
    int **t = malloc(rows * sizeof *t); //~ relevance: enforcing

    for (int i = 0; i < rows; i++) { //~ relevance: enforcing, enforcing
        t[i] = malloc((i + 1) * sizeof **t); //~ relevance: enforcing
        for (int j = 0; j <= i; j++) //~ relevance: enforcing, enforcing
            t[i][j] = i * j; //~ fault //~ relevance: enforcing
    }
    return t; //~ relevance: enforcing
}

int main(void)
{
    int **t = triangle(4); //~ relevance: enforcing, enforcing
    int (*pick)[3] = &(int[1][3]){ { 7, 8, 9 } }[0]; //~ relevance: enforcing, enforcing
    int corner = *(*(t + 3) + 3); //~ relevance: enforcing

    assert((*pick)[2] == 9);
    for (int i = 0; i < 4; i++) //~ relevance: enforcing, enforcing
        free(t[i]);
    free(t);
    assert(corner == 6); //~ failure: assertion
    return 0;
}
