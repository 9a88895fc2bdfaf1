//@ stdin: bug-matrix.in
//@ expect: bug-matrix.out
// Transposes a matrix in place: each pair is swapped twice.
#include <stdio.h>

static void transpose(int n, int m[4][4])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) { //~ fault
            int kept = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = kept;
        }
}

int main(void)
{
    int n, m[4][4];

    if (scanf("%d", &n) != 1 || n < 1 || n > 4)
        return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (scanf("%d", &m[i][j]) != 1)
                return 1;
    transpose(n, m);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            printf("%3d", m[i][j]); //~ failure: wrong-output
        printf("\n");
    }
    return 0;
}
