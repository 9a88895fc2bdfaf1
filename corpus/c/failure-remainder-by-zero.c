// A hash table that shrinks to nothing: its size is halved once too often.
#include <stdio.h>

static unsigned size = 8;

static unsigned slot(unsigned key)
{
    return key * 7 % size; //~ failure: division-by-zero
}

static void shrink(void)
{
    if (size >= 1) //~ fault
        size /= 2;
}

int main(void)
{
    for (unsigned key = 1; key <= 5; key++) {
        printf("%u\n", slot(key));
        shrink();
    }
    return 0;
}
