// Fast powers modulo a number. Each bit of the exponent multiplies by the base, and not by its square.
#include <assert.h>
#include <stdint.h>

static uint32_t power(uint32_t base, uint32_t exponent, uint32_t modulus)
{
    uint64_t result = 1, square = base % modulus;

    while (exponent > 0) {
        if (exponent & 1)
            result = result * base % modulus; //~ fault
        square = square * square % modulus;
        exponent >>= 1;
    }
    return (uint32_t)result;
}

int main(void)
{
    assert(power(7, 0, 13) == 1);
    assert(power(7, 1, 13) == 7);
    assert(power(3, 10, 1000) == 49); //~ failure: assertion
    return 0;
}
