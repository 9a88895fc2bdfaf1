// The name of a product and its terminator need one byte more than there is.
#include <stdio.h>
#include <string.h>

#define ROOM 6

static char shelf[ROOM];

static int label(const char *name)
{
    if (strlen(name) > ROOM) //~ fault //~ relevance: enforcing
        return 0; //~ relevance: enforcing
    strcpy(shelf, name); //~ failure: out-of-bounds //~ relevance: enforcing, enforcing
    return 1; //~ relevance: irrelevant
}

int main(void)
{
    static const char *const products[] = { "apple", "grapefruit", "orange" };
    int labelled = 0; //~ relevance: enforcing

    for (int i = 0; i < 3; i++) //~ relevance: enforcing, enforcing
        labelled += label(products[i]); //~ relevance: enforcing
    printf("%s %d\n", shelf, labelled);
    return 0;
}
