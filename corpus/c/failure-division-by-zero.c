// The mean of the marks of a class, where nobody was present.
#include <stdio.h>

static int mean(const int *marks, int n)
{
    int sum = 0, present = 0; //~ relevance: enforcing, enforcing

    for (int i = 0; i < n; i++) //~ relevance: enforcing, enforcing
        if (marks[i] >= 0) {
            sum += marks[i]; //~ relevance: enforcing
            present++; //~ relevance: enforcing
        }
    if (n == 0) //~ fault
        return 0;
    return sum / present; //~ failure: division-by-zero //~ relevance: irrelevant
}

int main(void)
{
    int monday[3] = { 4, -1, 2 }; //~ relevance: enforcing
    int friday[3] = { -1, -1, -1 }; //~ relevance: enforcing

    printf("%d\n", mean(monday, 3)); //~ relevance: enforcing, enforcing
    printf("%d\n", mean(friday, 3)); //~ relevance: enforcing, enforcing
    return 0;
}
