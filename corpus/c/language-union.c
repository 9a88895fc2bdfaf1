// The bytes of a float seen through a union; the mask for the exponent is wrong.
#include <assert.h>
#include <stdint.h>

union view {
    float number;
    uint32_t word;
    unsigned char bytes[4];
};

static int exponent(float f)
{
    union view v;
    uint32_t biased;

    v.number = f; //~ relevance: enforcing
    biased = (v.word >> 23) & 0x7F; //~ fault //~ relevance: enforcing
    return (int)biased - 127; //~ relevance: enforcing
}

int main(void)
{
    union view one = { 1.0f }; //~ relevance: enforcing

    assert(one.bytes[3] == 0x3F && one.bytes[2] == 0x80);
    assert(exponent(0.25f) == -2); //~ relevance: enforcing
    assert(exponent(-8.0f) == 3); //~ failure: assertion //~ relevance: irrelevant
    return 0;
}
