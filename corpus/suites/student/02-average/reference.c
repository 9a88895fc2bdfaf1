// The average of some marks.
#include <stdio.h>

int main(void)
{
    int count = 0;
    int sum = 0;
    int mark;

    while (scanf("%d", &mark) == 1) {
        if (mark < 1 || mark > 6)
            continue;
        sum += mark;
        count++;
    }
    if (count == 0) {
        printf("no marks\n");
        return 0;
    }

    double average = (double)sum / count;

    printf("%d marks, average %.2f\n", count, average);
    return 0;
}
