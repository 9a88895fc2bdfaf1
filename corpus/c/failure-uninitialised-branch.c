// Whether a level was found is known only if one was found.
#include <stdio.h>

static const int levels[5] = { 10, 20, 30, 40, 50 };

static int level_of(int height)
{
    int found; //~ fault
    int level = 0;

    for (int i = 0; i < 5; i++)
        if (levels[i] == height) {
            found = 1;
            level = i;
        }
    if (found) //~ failure: uninitialised
        return level;
    return -1;
}

int main(void)
{
    printf("%d\n", level_of(30));
    printf("%d\n", level_of(35));
    return 0;
}
