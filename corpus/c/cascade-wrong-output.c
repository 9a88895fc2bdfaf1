//@ stdin: cascade-wrong-output.in
//@ expect: cascade-wrong-output.out
// Wrong output: a thermometer's day. The lowest value starts with 0 instead of the first value, so
// a warm day has a frosty minimum.
#include <stdio.h>

struct day {
    int lowest, highest, sum, count;
};

static void note(struct day *day, int value)
{
    if (day->count == 0)
        day->highest = value;
    if (value < day->lowest) //~ fault //~ cascade
        day->lowest = value;
    if (value > day->highest)
        day->highest = value;
    day->sum += value;
    day->count++;
}

int main(void)
{
    struct day day = { 0, 0, 0, 0 };
    int value;

    while (scanf("%d", &value) == 1)
        note(&day, value);
    printf("highest %d\n", day.highest);
    printf("lowest %d\n", day.lowest); //~ failure: wrong-output
    if (day.count)
        printf("mean %d\n", day.sum / day.count);
    return 0;
}
