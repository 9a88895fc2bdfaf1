// A jagged table of rows on the heap, reached through a pointer to pointers.
#include <assert.h>
#include <stdlib.h>

static int **triangle(int rows)
{
    int **t = malloc(rows * sizeof *t);

    for (int i = 0; i < rows; i++) {
        t[i] = malloc((i + 1) * sizeof **t);
        for (int j = 0; j <= i; j++)
            t[i][j] = i * j; //~ fault
    }
    return t;
}

int main(void)
{
    int **t = triangle(4);
    int (*pick)[3] = &(int[1][3]){ { 7, 8, 9 } }[0];
    int corner = *(*(t + 3) + 3);

    assert((*pick)[2] == 9);
    for (int i = 0; i < 4; i++)
        free(t[i]);
    free(t);
    assert(corner == 6); //~ failure: assertion
    return 0;
}
