// The number of a day in its year. In a leap year the days of February are moved, too.
#include <assert.h>

static const int before[12] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 }; //~ relevance: enforcing, enforcing

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; //~ relevance: enforcing
}

static int day_of_year(int year, int month, int day)
{
    int number = before[month - 1] + day; //~ relevance: enforcing

    if (is_leap(year) && month >= 2) //~ fault //~ relevance: enforcing
        number++; //~ relevance: enforcing
    return number; //~ relevance: enforcing
}

int main(void)
{
    assert(day_of_year(2023, 12, 31) == 365); //~ relevance: enforcing, enforcing, enforcing
    assert(day_of_year(2024, 12, 31) == 366); //~ relevance: enforcing, enforcing, enforcing
    assert(day_of_year(2024, 2, 29) == 60); //~ failure: assertion
    //~^ relevance: enforcing, enforcing, enforcing
    return 0;
}
