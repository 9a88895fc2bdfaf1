// As reference.c, but a maximum of negative numbers is not found.
#include <stdio.h>

int main(void)
{
    int n;
    int numbers[100];

    if (scanf("%d", &n) != 1 || n < 1 || n > 100)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &numbers[i]) != 1)
            return 1;

    int max = 0; //~ fault

    for (int i = 0; i < n; i++)
        if (numbers[i] > max)
            max = numbers[i];
    printf("maximum: %d\n", max);
    return 0;
}
