// A moving average over three values. The oldest value is subtracted one round too early.
#include <assert.h>

#define WINDOW 3

static int averages(const int *in, int n, int *out)
{
    int sum = 0, count = 0; //~ relevance: enforcing, enforcing

    for (int i = 0; i < n; i++) { //~ relevance: enforcing, enforcing
        sum += in[i]; //~ relevance: enforcing
        if (i >= WINDOW)
            sum -= in[i - WINDOW + 1]; //~ fault //~ relevance: enforcing
        if (i >= WINDOW - 1)
            out[count++] = sum / WINDOW; //~ relevance: enforcing, enforcing
    }
    return count; //~ relevance: enforcing
}

int main(void)
{
    int in[5] = { 3, 6, 9, 12, 15 }; //~ relevance: enforcing
    int out[5];

    assert(averages(in, 5, out) == 3); //~ relevance: enforcing, enforcing, enforcing
    assert(out[0] == 6);
    assert(out[2] == 12); //~ failure: assertion
    return 0;
}
