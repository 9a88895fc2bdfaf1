// Finds the winner of a game. The second diagonal is looked up with the fields of the first.
#include <assert.h>

static char winner(const char *board)
{
    for (int i = 0; i < 3; i++) {
        const char *row = board + 3 * i;

        if (row[0] != '.' && row[0] == row[1] && row[1] == row[2])
            return row[0];
        if (board[i] != '.' && board[i] == board[i + 3] && board[i] == board[i + 6])
            return board[i];
    }
    if (board[4] != '.') {
        if (board[0] == board[4] && board[4] == board[8])
            return board[4];
        if (board[2] == board[4] && board[4] == board[8]) //~ fault
            return board[4];
    }
    return '.';
}

int main(void)
{
    assert(winner("xxx.oo...") == 'x');
    assert(winner("o.xo.xo..") == 'o');
    assert(winner("x.o.x.o.x") == 'x');
    assert(winner("..ox.xo..") == '.');
    assert(winner("x.o.oxo.x") == 'o'); //~ failure: assertion
    return 0;
}
