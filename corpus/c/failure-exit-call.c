//@ args: 12 8
//@ expect-exit: 0
// Stops with an error if a rectangle has no area. The check compares its sides with each other.
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *why)
{
    fprintf(stderr, "error: %s\n", why);
    exit(2); //~ failure: exit-status //~ relevance: enforcing
}

int main(int argc, char **argv)
{
    int width, height;

    if (argc != 3)
        fail("two numbers, please");
    width = atoi(argv[1]); //~ relevance: enforcing, enforcing
    height = atoi(argv[2]); //~ relevance: enforcing, enforcing
    if (width - height > 0) //~ fault
        fail("nothing to draw"); //~ relevance: enforcing
    printf("%d\n", width * height);
    return 0;
}
