// What kind of triangle three sides make.
#include <stdio.h>
#include <stdlib.h>

static int is_triangle(int a, int b, int c)
{
    return a > 0 && b > 0 && c > 0 && a + b > c && b + c > a && c + a > b;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        printf("three sides, please\n");
        return 2;
    }

    int a = atoi(argv[1]);
    int b = atoi(argv[2]);
    int c = atoi(argv[3]);

    if (!is_triangle(a, b, c))
        printf("none\n");
    else if (a == b && b == c)
        printf("equilateral\n");
    else if (a == b || b == c || c == a)
        printf("isosceles\n");
    else
        printf("scalene\n");
    return 0;
}
