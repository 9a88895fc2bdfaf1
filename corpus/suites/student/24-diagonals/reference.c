// The sum of the second diagonal of a square, and whether the square is symmetric.
#include <stdio.h>

#define MAX 5

static int m[MAX][MAX];

static int diagonal(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += m[i][n - 1 - i];
    return sum;
}

static int symmetric(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (m[i][j] != m[j][i])
                return 0;
    return 1;
}

int main(void)
{
    int n;

    if (scanf("%d", &n) != 1 || n < 1 || n > MAX)
        return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (scanf("%d", &m[i][j]) != 1)
                return 1;
    printf("diagonal: %d\n", diagonal(n));
    printf("symmetric: %s\n", symmetric(n) ? "yes" : "no");
    return 0;
}
