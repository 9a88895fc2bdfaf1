// Between floats and integers of both kinds. A large unsigned number goes through a signed one.
#include <assert.h>
#include <stdint.h>

static double ratio(uint64_t part, uint64_t whole)
{
    double over = (double)(int64_t)part; //~ fault //~ relevance: enforcing

    return over / (double)whole; //~ relevance: enforcing
}

int main(void)
{
    uint64_t half = 1ull << 63; //~ relevance: enforcing
    float third = 1.0f / 3; //~ relevance: enforcing

    assert((int)-7.9 == -7 && (unsigned char)200.7 == 200 && (uint64_t)1e19 == 10000000000000000000u);
    assert((double)third != 1.0 / 3 && (float)(1.0 / 3) == third);
    assert((float)16777217 == 16777216.0f);
    assert(ratio(half, half) == 1.0); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
