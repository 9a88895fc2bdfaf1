// As reference.c, but the old maximum is forgotten (an omitted assignment).
#include <stdio.h>

int main(void)
{
    int first, second, value;

    if (scanf("%d %d", &first, &second) != 2) {
        printf("two numbers are needed\n");
        return 1;
    }
    if (first < second) {
        int other = first;
        first = second;
        second = other;
    }
    while (scanf("%d", &value) == 1) {
        if (value > first) {
            first = value; //~ fault
        } else if (value > second) {
            second = value;
        }
    }
    printf("%d %d\n", first, second);
    return 0;
}
