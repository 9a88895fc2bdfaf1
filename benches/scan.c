// Counts what is above a limit that rises; the assertion at the end fails.
#include <assert.h>

#ifndef ROUNDS
#define ROUNDS 100
#endif

int main(void)
{
    int limit = 0, above = 0, value = 1;

    for (int i = 0; i < ROUNDS; i++) {
        value = (value * 5 + 3) % 64;
        if (value > limit)
            above++;
        else
            limit++;
    }
    assert(above <= 20);
    return 0;
}
