// A checksum over many values: a trace of some hundred thousand steps with the fault at its beginning.
#include <assert.h>

#define COUNT 20000

static int values[COUNT];

int main(void)
{
    unsigned sum = 1; //~ fault
    unsigned expected = 0;

    for (int i = 0; i < COUNT; i++)
        values[i] = i % 17;
    for (int i = 0; i < COUNT; i++)
        sum += values[i];
    for (int i = 0; i < COUNT; i++)
        expected += i % 17;
    assert(sum == expected); //~ failure: assertion
    return 0;
}
