// The trace of a product of two matrices; one index of the product is swapped.
#include <assert.h>

#define N 3

static void product(const int a[N][N], const int b[N][N], int out[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            out[i][j] = 0;
            for (int k = 0; k < N; k++)
                out[i][j] += a[i][k] * b[j][k]; //~ fault
        }
}

int main(void)
{
    const int a[N][N] = { { 1, 2, 0 }, { 0, 1, 0 }, { 3, 0, 1 } };
    const int b[N][N] = { { 1, 0, 0 }, { 5, 1, 0 }, { 0, 0, 2 } };
    int c[N][N];
    int trace = 0;

    product(a, b, c);
    for (int i = 0; i < N; i++)
        trace += c[i][i];
    assert(trace == 14); //~ failure: assertion
    return 0;
}
