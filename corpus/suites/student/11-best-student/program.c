// As reference.c, but of equals, the last is taken.
#include <stdio.h>

struct student {
    char name[20];
    int points[3];
};

static int total(const struct student *s)
{
    int sum = 0;

    for (int i = 0; i < 3; i++)
        sum += s->points[i];
    return sum;
}

int main(void)
{
    struct student list[20];
    int n = 0;

    while (n < 20 && scanf("%19s %d %d %d", list[n].name, &list[n].points[0], &list[n].points[1], &list[n].points[2]) == 4)
        n++;
    if (n == 0) {
        printf("nobody\n");
        return 0;
    }

    int best = 0;

    for (int i = 1; i < n; i++)
        if (total(&list[i]) >= total(&list[best])) //~ fault
            best = i;
    printf("%s with %d points\n", list[best].name, total(&list[best]));
    return 0;
}
