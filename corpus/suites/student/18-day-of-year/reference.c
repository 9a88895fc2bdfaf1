// The number of a day in its year.
#include <stdio.h>

static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int main(void)
{
    int day, month, year;

    while (scanf("%d.%d.%d", &day, &month, &year) == 3) {
        if (month < 1 || month > 12 || day < 1 || day > days[month - 1] + (month == 2 && is_leap(year))) {
            printf("no date\n");
            continue;
        }

        int number = day;

        for (int i = 0; i < month - 1; i++)
            number += days[i];
        if (month > 2 && is_leap(year))
            number++;
        printf("day %d\n", number);
    }
    return 0;
}
