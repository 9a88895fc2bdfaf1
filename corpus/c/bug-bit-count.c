// Counts the bits of a word by pairs, nibbles and bytes. One mask has a wrong digit.
#include <assert.h>
#include <stdint.h>

static int bits(uint32_t x)
{
    x = x - ((x >> 1) & 0x55555555u); //~ relevance: enforcing
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u); //~ relevance: enforcing
    x = (x + (x >> 4)) & 0x0F0F070Fu; //~ fault //~ relevance: enforcing
    return (int)((x * 0x01010101u) >> 24); //~ relevance: enforcing
}

int main(void)
{
    assert(bits(0) == 0); //~ relevance: enforcing
    assert(bits(0x80000001u) == 2); //~ relevance: enforcing
    assert(bits(0x00FF0000u) == 8); //~ relevance: enforcing
    assert(bits(0xFFFFFFFFu) == 32); //~ failure: assertion //~ relevance: irrelevant
    return 0;
}
