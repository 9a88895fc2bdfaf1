// How many points fall into each range of ten.
#include <stdio.h>

#define RANGES 10

int main(void)
{
    int counts[RANGES] = { 0 };
    int points;

    while (scanf("%d", &points) == 1) {
        if (points < 0 || points > 100)
            continue;

        int range = points / 10;

        if (range == RANGES)
            range = RANGES - 1;
        counts[range]++;
    }
    for (int i = 0; i < RANGES; i++) {
        if (counts[i] == 0)
            continue;
        printf("%2d: ", i * 10);
        for (int k = 0; k < counts[i]; k++)
            printf("*");
        printf("\n");
    }
    return 0;
}
