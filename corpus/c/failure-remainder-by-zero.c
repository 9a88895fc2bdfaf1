// A hash table that shrinks to nothing: its size is halved once too often.
#include <stdio.h>

static unsigned size = 8; //~ relevance: enforcing

static unsigned slot(unsigned key)
{
    return key * 7 % size; //~ failure: division-by-zero //~ relevance: irrelevant
}

static void shrink(void)
{
    if (size >= 1) //~ fault
        size /= 2; //~ relevance: enforcing
}

int main(void)
{
    for (unsigned key = 1; key <= 5; key++) { //~ relevance: enforcing, enforcing
        printf("%u\n", slot(key)); //~ relevance: irrelevant
        shrink();
    }
    return 0;
}
