// The usual conversions: a negative int compared with an unsigned count is very large.
#include <assert.h>

static int below(int index, unsigned count)
{
    return index < count; //~ fault //~ relevance: enforcing
}

int main(void)
{
    unsigned char small = 200; //~ relevance: enforcing
    short product = (short)(small * 2); //~ relevance: enforcing
    long long wide = 1LL << 40; //~ relevance: enforcing

    assert(product == 400 && (unsigned char)(small + 100) == 44);
    assert((int)wide == 0 && (wide >> 38) == 4 && -7 / 2 == -3 && -7 % 2 == -1);
    assert(below(3, 4) && !below(4, 4)); //~ relevance: enforcing, enforcing, enforcing, enforcing
    assert(below(-1, 4)); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
