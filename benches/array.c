// Fills an array and adds it up; the assertion at the end fails.
#include <assert.h>

#ifndef ROUNDS
#define ROUNDS 100
#endif

static int numbers[ROUNDS];

int main(void)
{
    int sum = 0;

    for (int i = 0; i < ROUNDS; i++)
        numbers[i] = i % 7;
    for (int i = 0; i < ROUNDS; i++)
        sum += numbers[i];
    assert(sum % 2 == 2);
    return 0;
}
