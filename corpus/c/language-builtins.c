// The builtins that count and swap bits. The next power of two is wrong for powers of two.
#include <assert.h>
#include <stdint.h>

static uint32_t round_up(uint32_t n)
{
    int zeros = __builtin_clz(n); //~ fault //~ relevance: enforcing

    return 1u << (32 - zeros); //~ relevance: enforcing
}

int main(void)
{
    assert(__builtin_popcount(0xF0F0) == 8 && __builtin_ctzll(1ull << 40) == 40);
    assert(__builtin_bswap32(0x01020304) == 0x04030201 && __builtin_parity(7) == 1);
    assert(__builtin_expect(round_up(100) == 128, 1)); //~ relevance: enforcing
    assert(round_up(64) == 64); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
