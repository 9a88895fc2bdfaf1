// Finds the winner of a game. The second diagonal is looked up with the fields of the first.
#include <assert.h>

static char winner(const char *board)
{
    for (int i = 0; i < 3; i++) { //~ relevance: enforcing, enforcing
        const char *row = board + 3 * i; //~ relevance: enforcing

        if (row[0] != '.' && row[0] == row[1] && row[1] == row[2])
            return row[0]; //~ relevance: enforcing
        if (board[i] != '.' && board[i] == board[i + 3] && board[i] == board[i + 6])
            return board[i]; //~ relevance: enforcing
    }
    if (board[4] != '.') {
        if (board[0] == board[4] && board[4] == board[8])
            return board[4]; //~ relevance: enforcing
        if (board[2] == board[4] && board[4] == board[8]) //~ fault
            return board[4];
    }
    return '.'; //~ relevance: enforcing
}

int main(void)
{
    assert(winner("xxx.oo...") == 'x'); //~ relevance: enforcing
    assert(winner("o.xo.xo..") == 'o'); //~ relevance: enforcing
    assert(winner("x.o.x.o.x") == 'x'); //~ relevance: enforcing
    assert(winner("..ox.xo..") == '.'); //~ relevance: enforcing
    assert(winner("x.o.oxo.x") == 'o'); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
