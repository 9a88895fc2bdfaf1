// The mean of the marks of a class, where nobody was present.
#include <stdio.h>

static int mean(const int *marks, int n)
{
    int sum = 0, present = 0;

    for (int i = 0; i < n; i++)
        if (marks[i] >= 0) {
            sum += marks[i];
            present++;
        }
    if (n == 0) //~ fault
        return 0;
    return sum / present; //~ failure: division-by-zero
}

int main(void)
{
    int monday[3] = { 4, -1, 2 };
    int friday[3] = { -1, -1, -1 };

    printf("%d\n", mean(monday, 3));
    printf("%d\n", mean(friday, 3));
    return 0;
}
