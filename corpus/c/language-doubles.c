// The mean of three temperatures: an integer division drops the fraction.
#include <assert.h>
#include <math.h>

static double mean(const int *t, int n)
{
    int sum = 0;
    double result;

    for (int i = 0; i < n; i++)
        sum += t[i];
    result = sum / n; //~ fault
    return result;
}

int main(void)
{
    int t[] = { -2, 3, 4 };
    double m = mean(t, 3);

    assert(floor(-0.5) == -1.0);
    assert(fabs(m - 5.0 / 3.0) < 1e-12); //~ failure: assertion
    return 0;
}
