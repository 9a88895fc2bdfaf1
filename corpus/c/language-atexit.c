//@ expect: language-atexit.out
// What atexit registered runs in reverse order, also after exit. The farewell counts one visit less.
#include <stdio.h>
#include <stdlib.h>

static int visits;

static void farewell(void)
{
    printf("visits: %d\n", visits); //~ failure: wrong-output
}

static void close_door(void)
{
    puts("door closed");
}

static void visit(int last)
{
    if (last)
        exit(0); //~ fault //~ relevance: irrelevant
    visits++; //~ relevance: enforcing
}

int main(void)
{
    atexit(farewell); //~ relevance: enforcing
    atexit(close_door); //~ relevance: enforcing
    for (int i = 1;; i++) //~ relevance: enforcing, enforcing
        visit(i == 3); //~ relevance: enforcing
}
