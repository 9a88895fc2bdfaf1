// Statement expressions and typeof, as in many macros. The smaller of two is the larger.
#include <assert.h>

#define SMALLER(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define CLAMP(x, low, high) ({ int x_ = (x); x_ < (low) ? (low) : x_ > (high) ? (high) : x_; })

static int calls;

static int next(void)
{
    return ++calls; //~ relevance: enforcing, enforcing
}

int main(void)
{
    int first = SMALLER(next(), 10); //~ relevance: enforcing
    int second;

    assert(calls == 1 && first == 1);
    second = CLAMP(next() + 40, 0, 20); //~ fault //~ relevance: enforcing
    assert(calls == 2);
    assert(second == 12); //~ failure: assertion
    return 0;
}
