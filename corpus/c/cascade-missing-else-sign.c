//@ args: 3 -8
// Missing else: the direction of a walk is set if it goes east or west. Who stays where they are keeps
// the direction of the walk before, because there is no "else" that would clear it.
#include <assert.h>
#include <stdlib.h>

static int direction;

static int walk(int position, int target)
{
    int distance = target - position;

    if (distance > 0)
        direction = 1;
    else if (distance < 0) //~ fault //~ cascade
        direction = -1;
    return position + distance;
}

int main(int argc, char **argv)
{
    int position = 0;

    for (int i = 1; i < argc; i++)
        position = walk(position, atoi(argv[i]));
    position = walk(position, -8);
    assert(position == -8 && direction == 0); //~ failure: assertion
    return 0;
}
