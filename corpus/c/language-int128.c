// Multiplies two 64-bit numbers in full; the carry out of the middle sum is lost.
#include <assert.h>
#include <stdint.h>

typedef unsigned __int128 wide;

static wide multiply(uint64_t a, uint64_t b)
{
    uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32;
    uint64_t b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
    wide low = (wide)a0 * b0;
    uint64_t middle = a0 * b1 + a1 * b0; //~ fault
    wide high = (wide)a1 * b1;

    return low + ((wide)middle << 32) + (high << 64);
}

int main(void)
{
    uint64_t x = 0xFFFFFFFFFFFFFFF1u, y = 0xFFFFFFFFFFFFFFFFu;
    wide product = multiply(x, y);
    __int128 negative = -(__int128)x;

    assert(negative < 0 && negative + (__int128)x == 0);
    assert(product / y == x); //~ failure: assertion
    return 0;
}
