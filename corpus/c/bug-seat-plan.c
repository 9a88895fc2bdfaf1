// The seats of a small cinema. Who counts the free ones of a row goes one seat too far: into the next row, and from
// the last row into what stands behind the plan.
#include <stdio.h>

#define ROWS 3
#define SEATS 4

struct cinema {
    int taken[ROWS][SEATS];
    int price;
};

static int free_seats(const struct cinema *cinema, int row)
{
    int count = 0;

    for (int seat = 0; seat <= SEATS; seat++) //~ fault
        if (!cinema->taken[row][seat]) //~ failure: out-of-bounds
            count++;
    return count;
}

int main(void)
{
    struct cinema cinema = { { { 1, 0, 0, 1 }, { 1, 1, 1, 1 }, { 0, 0, 0, 0 } }, 12 };

    for (int row = 0; row < ROWS; row++)
        printf("row %d: %d free at %d\n", row, free_seats(&cinema, row), cinema.price);
    return 0;
}
