// Books seats in a small theatre. Ticket 37 is seat 7 of row 3; the rows are numbered from 1 to 4.
//
// What is wrong: arrays are counted from 0, so row 4 is not there.
// Try: whydunit examples/seats.c -- 12 45
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4, SEATS = 10 };

static char plan[ROWS][SEATS];

static void book(int ticket)
{
    int row = ticket / 10;
    int seat = ticket % 10;

    plan[row][seat] = 'x';
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        book(atoi(argv[i]));
    for (int row = 0; row < ROWS; row++) {
        for (int seat = 0; seat < SEATS; seat++)
            putchar(plan[row][seat] ? 'x' : '.');
        putchar('\n');
    }
    return 0;
}
