// Signed bit-fields are sign-extended when read. The trim is added where it should be subtracted.
#include <assert.h>

struct servo {
    signed int trim : 4;
    unsigned int enabled : 1;
    signed int angle : 11;
};

static void move(struct servo *s, int angle)
{
    if (s->enabled)
        s->angle = angle + s->trim; //~ fault //~ relevance: enforcing
}

int main(void)
{
    struct servo s = { -8, 0, 0 }; //~ relevance: enforcing

    move(&s, 90); //~ relevance: enforcing
    assert(s.angle == 0);
    s.enabled = 3; //~ relevance: enforcing
    move(&s, -700); //~ relevance: enforcing, enforcing
    assert(s.angle + s.trim == -700); //~ failure: assertion
    return 0;
}
