// A packed header is laid out without gaps. Its length is stored with the bytes in the wrong order.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct __attribute__((packed)) header {
    uint8_t kind;
    uint32_t length;
    uint16_t flags;
};

static uint32_t big_endian(uint32_t n)
{
    return (n & 0xFF) << 24 | (n & 0xFF00) << 8 | (n >> 8 & 0xFF00) | n >> 24; //~ relevance: enforcing
}

int main(void)
{
    unsigned char wire[7];
    struct header h = { 9, 0, 0x0102 }; //~ relevance: enforcing

    h.length = 0x1234; //~ fault //~ relevance: enforcing
    memcpy(wire, &h, sizeof h); //~ relevance: enforcing
    assert(sizeof h == 7 && offsetof(struct header, flags) == 5);
    assert(wire[0] == 9 && wire[5] == 2 && big_endian(big_endian(77)) == 77);
    //~^ relevance: enforcing, enforcing
    assert(wire[3] == 0x12 && wire[4] == 0x34); //~ failure: assertion
    return 0;
}
