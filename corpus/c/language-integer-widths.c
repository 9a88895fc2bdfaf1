// A frame is packed from fields of every width; one field is cut too narrow.
#include <assert.h>
#include <stdint.h>

static uint64_t pack(int8_t gain, uint16_t channel, int32_t offset)
{
    uint64_t word = 0; //~ relevance: enforcing
    uint8_t low = (uint8_t)gain; //~ relevance: enforcing
    uint8_t where = (uint8_t)channel; //~ fault //~ relevance: irrelevant

    word |= low; //~ relevance: enforcing
    word |= (uint64_t)where << 8; //~ relevance: enforcing
    word |= (uint64_t)(uint32_t)offset << 24; //~ relevance: enforcing
    return word; //~ relevance: enforcing
}

int main(void)
{
    uint64_t word = pack(-3, 0x1F0, -70000); //~ relevance: enforcing, enforcing, enforcing
    int8_t gain = (int8_t)(word & 0xFF); //~ relevance: enforcing
    int64_t offset = (int32_t)(uint32_t)(word >> 24); //~ relevance: enforcing

    assert(gain == -3);
    assert(offset == -70000);
    assert(((word >> 8) & 0xFFFF) == 0x1F0); //~ failure: assertion
    return 0;
}
