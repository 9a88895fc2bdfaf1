/* Two faults that have nothing to do with each other. No single change is enough; the pair is. */
#include <assert.h>

static int area(int a, int b)
{
    return a + b; //~ fault
}

static int border(int a, int b)
{
    return 2 * a + b; //~ fault
}

int main(void)
{
    int a = 3;
    int b = 4;
    int first = area(a, b);
    int second = border(a, b);

    assert(a == 3 && b == 4);
    assert(first == 12); //~ failure: assertion
    assert(second == 14);
    return 0;
}
