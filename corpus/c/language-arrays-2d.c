// The trace of a product of two matrices; one index of the product is swapped.
#include <assert.h>

#define N 3

static void product(const int a[N][N], const int b[N][N], int out[N][N])
{
    for (int i = 0; i < N; i++) //~ relevance: enforcing, enforcing
        for (int j = 0; j < N; j++) { //~ relevance: enforcing, enforcing
            out[i][j] = 0; //~ relevance: enforcing
            for (int k = 0; k < N; k++) //~ relevance: enforcing, enforcing
                out[i][j] += a[i][k] * b[j][k]; //~ fault //~ relevance: enforcing
        }
}

int main(void)
{
    const int a[N][N] = { { 1, 2, 0 }, { 0, 1, 0 }, { 3, 0, 1 } }; //~ relevance: enforcing
    const int b[N][N] = { { 1, 0, 0 }, { 5, 1, 0 }, { 0, 0, 2 } }; //~ relevance: enforcing
    int c[N][N];
    int trace = 0; //~ relevance: enforcing

    product(a, b, c); //~ relevance: enforcing, enforcing, enforcing
    for (int i = 0; i < N; i++) //~ relevance: enforcing, enforcing
        trace += c[i][i]; //~ relevance: enforcing
    assert(trace == 14); //~ failure: assertion
    return 0;
}
