// Infinities and NaN. A maximum that starts from NaN stays there: nothing is larger.
#include <assert.h>
#include <math.h>

static double largest(const double *values, int n)
{
    double best = NAN; //~ fault //~ relevance: enforcing

    for (int i = 0; i < n; i++) //~ relevance: enforcing, enforcing
        if (values[i] > best)
            best = values[i];
    return best; //~ relevance: enforcing
}

int main(void)
{
    double values[3] = { -2.5, 1e300, 4.0 }; //~ relevance: enforcing
    double infinite = values[1] * values[1]; //~ relevance: enforcing
    double nothing = infinite - infinite; //~ relevance: enforcing

    assert(infinite > 1e308 && nothing != nothing && !(nothing < 0));
    assert(-0.0 == 0.0 && 1 / -0.0 < 0);
    assert(largest(values, 3) == 1e300); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
