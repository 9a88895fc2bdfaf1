// The product of two square matrices.
#include <stdio.h>

#define MAX 4

static void read_matrix(int m[MAX][MAX], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (scanf("%d", &m[i][j]) != 1)
                m[i][j] = 0;
}

int main(void)
{
    int a[MAX][MAX], b[MAX][MAX];
    int n;

    if (scanf("%d", &n) != 1 || n < 1 || n > MAX)
        return 1;
    read_matrix(a, n);
    read_matrix(b, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int sum = 0;

            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            printf("%d ", sum);
        }
        printf("\n");
    }
    return 0;
}
