// The game of life on a small board. Neighbours are counted on the board that is being changed.
#include <assert.h>
#include <string.h>

#define N 5

static int neighbours(const char board[N][N + 1], int row, int column)
{
    int count = 0;

    for (int i = row - 1; i <= row + 1; i++)
        for (int j = column - 1; j <= column + 1; j++)
            if (i >= 0 && i < N && j >= 0 && j < N && (i != row || j != column))
                count += board[i][j] == '#';
    return count;
}

static void next(char board[N][N + 1])
{
    char old[N][N + 1];

    memcpy(old, board, sizeof old);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int n = neighbours((const char (*)[N + 1])board, i, j); //~ fault

            board[i][j] = n == 3 || (n == 2 && old[i][j] == '#') ? '#' : '.';
        }
}

int main(void)
{
    char board[N][N + 1] = { ".....", "..#..", "..#..", "..#..", "....." };

    next(board);
    assert(strcmp(board[1], ".....") == 0);
    assert(strcmp(board[2], ".###.") == 0); //~ failure: assertion
    return 0;
}
