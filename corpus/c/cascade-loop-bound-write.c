// Off-by-one loop bound: the frame of a board is drawn one column too far, into the row below; the
// corner of that row is no corner any more.
#include <assert.h>

enum { ROWS = 4, COLUMNS = 6 };

static char board[ROWS * COLUMNS];

static void put(int row, int column, char mark)
{
    board[row * COLUMNS + column] = mark;
}

static void draw(void)
{
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            put(row, column, ' ');
    for (int row = 0; row < ROWS; row++) {
        put(row, 0, '|');
        put(row, COLUMNS - 1, '|');
    }
    for (int column = 0; column <= COLUMNS; column++) //~ fault //~ cascade
        put(0, column, '-');
}

int main(void)
{
    draw();
    for (int row = 1; row < ROWS; row++)
        assert(board[row * COLUMNS] == '|'); //~ failure: assertion
    return 0;
}
