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
        exit(0); //~ fault
    visits++;
}

int main(void)
{
    atexit(farewell);
    atexit(close_door);
    for (int i = 1;; i++)
        visit(i == 3);
}
