// Distances between towns: the table should be symmetric. One row has no braces of its own.
#include <assert.h>

#define TOWNS 3

int distance[TOWNS][TOWNS] = {
    { 0, 7, 4 }, //~ relevance: enforcing, enforcing
    7, 0, 9, //~ relevance: enforcing
    { 5, 9 }, //~ fault //~ relevance: enforcing
};

int main(void)
{
    for (int from = 0; from < TOWNS; from++) //~ relevance: enforcing, enforcing
        for (int to = 0; to < from; to++) //~ relevance: enforcing, enforcing
            assert(distance[from][to] == distance[to][from]); //~ failure: assertion
    return 0;
}
