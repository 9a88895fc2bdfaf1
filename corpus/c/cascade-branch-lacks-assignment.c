// Missing assignment in a branch not taken: a lift that goes down counts its stops, one that goes up
// does not. The branch that was taken lacks the statement that the other one has.
#include <assert.h>
#include <stdio.h>

static int floor_now, stops;

static void go_to(int floor)
{
    while (floor_now != floor) {
        if (floor_now < floor) { //~ fault //~ cascade
            floor_now++;
        } else {
            floor_now--;
            if (floor_now == floor)
                stops++;
        }
    }
}

int main(void)
{
    static const int calls[] = { 4, 1, 3, 0 };
    int count = sizeof calls / sizeof *calls;

    for (int i = 0; i < count; i++)
        go_to(calls[i]);
    printf("%d stops, now at %d\n", stops, floor_now);
    assert(stops == count); //~ failure: assertion
    return 0;
}
