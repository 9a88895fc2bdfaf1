// Structs of floats and doubles travel in vector registers. One coordinate is not rotated.
#include <assert.h>

struct point {
    float x, y;
};

struct circle {
    struct point centre;
    double radius;
};

static struct point quarter_turn(struct point p)
{
    struct point q;

    q.x = -p.y;
    q.y = p.y; //~ fault
    return q;
}

static struct circle turned(struct circle c, double scale)
{
    c.centre = quarter_turn(c.centre);
    c.radius *= scale;
    return c;
}

int main(void)
{
    struct circle c = { { 2.5f, 1.0f }, 3.0 };
    struct circle d = turned(c, 0.5);

    assert(d.radius == 1.5 && d.centre.x == -1.0f);
    assert(d.centre.y == 2.5f); //~ failure: assertion
    return 0;
}
