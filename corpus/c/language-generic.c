// _Generic picks a function by the type of its argument. The one for long answers in pence.
#include <assert.h>

static int pence_of_int(int pounds) { return pounds * 100; } //~ relevance: enforcing
static int pence_of_long(long pence) { return (int)(pence * 100); } //~ fault //~ relevance: enforcing
static int pence_of_double(double pounds) { return (int)(pounds * 100 + 0.5); } //~ relevance: enforcing

#define PENCE(x) _Generic((x), int: pence_of_int, long: pence_of_long, double: pence_of_double)(x)

_Static_assert(sizeof(long) == 8, "long is a word");

int main(void)
{
    long stored = 250; //~ relevance: enforcing

    assert(PENCE(3) == 300); //~ relevance: enforcing
    assert(PENCE(1.99) == 199); //~ relevance: enforcing
    assert(PENCE(stored) == 250); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
