// Whether a level was found is known only if one was found.
#include <stdio.h>

static const int levels[5] = { 10, 20, 30, 40, 50 }; //~ relevance: enforcing, enforcing, enforcing, enforcing, enforcing

static int level_of(int height)
{
    int found; //~ fault
    int level = 0; //~ relevance: irrelevant

    for (int i = 0; i < 5; i++) //~ relevance: enforcing, enforcing
        if (levels[i] == height) {
            found = 1; //~ relevance: enforcing
            level = i; //~ relevance: irrelevant
        }
    if (found) //~ failure: uninitialised
        return level; //~ relevance: irrelevant
    return -1;
}

int main(void)
{
    printf("%d\n", level_of(30)); //~ relevance: enforcing
    printf("%d\n", level_of(35)); //~ relevance: enforcing
    return 0;
}
