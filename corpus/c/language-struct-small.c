// Small structs travel in registers. Adding two lengths does not carry the inches.
#include <assert.h>

struct length {
    int feet;
    int inches;
};

static struct length add(struct length a, struct length b)
{
    struct length sum = { a.feet + b.feet, a.inches + b.inches }; //~ relevance: enforcing

    if (sum.inches > 12) { //~ fault
        sum.feet++;
        sum.inches -= 12;
    }
    return sum; //~ relevance: enforcing
}

int main(void)
{
    struct length door = { 6, 7 }, sill = { 0, 5 }; //~ relevance: enforcing, enforcing
    struct length all = add(door, sill); //~ relevance: enforcing, enforcing, enforcing

    assert(door.inches == 7);
    assert(all.feet == 7 && all.inches == 0); //~ failure: assertion
    return 0;
}
