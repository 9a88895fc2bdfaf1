//@ args: 6
// Pascal's triangle in an array of variable length. The row is updated from the wrong side.
#include <assert.h>
#include <stdlib.h>

static int middle(int n)
{
    int row[n + 1];

    row[0] = 1;
    for (int i = 1; i <= n; i++) {
        row[i] = 1;
        for (int k = 1; k < i; k++) //~ fault
            row[k] += row[k - 1];
    }
    return row[n / 2];
}

static int corner(int rows, int columns, int grid[rows][columns])
{
    return grid[rows - 1][columns - 1];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    int grid[n][n + 1];

    assert(sizeof grid == (size_t)n * (n + 1) * sizeof(int));
    grid[n - 1][n] = 17;
    assert(corner(n, n + 1, grid) == 17);
    assert(middle(n) == 20); //~ failure: assertion
    return 0;
}
