// The name of a product and its terminator need one byte more than there is.
#include <stdio.h>
#include <string.h>

#define ROOM 6

static char shelf[ROOM];

static int label(const char *name)
{
    if (strlen(name) > ROOM) //~ fault
        return 0;
    strcpy(shelf, name); //~ failure: out-of-bounds
    return 1;
}

int main(void)
{
    static const char *const products[] = { "apple", "grapefruit", "orange" };
    int labelled = 0;

    for (int i = 0; i < 3; i++)
        labelled += label(products[i]);
    printf("%s %d\n", shelf, labelled);
    return 0;
}
