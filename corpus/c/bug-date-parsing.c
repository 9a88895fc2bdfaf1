//@ args: 2024-03-09
// Reads a date in ISO form. Of the day only one digit is read.
#include <assert.h>
#include <ctype.h>

struct date {
    int year, month, day;
};

static int number(const char **text, int digits)
{
    int value = 0;

    while (digits-- > 0) {
        if (!isdigit((unsigned char)**text))
            return -1;
        value = value * 10 + (*(*text)++ - '0');
    }
    return value;
}

static int parse(const char *text, struct date *d)
{
    d->year = number(&text, 4);
    if (*text++ != '-')
        return 0;
    d->month = number(&text, 2);
    if (*text++ != '-')
        return 0;
    d->day = number(&text, 1); //~ fault
    return d->month >= 1 && d->month <= 12 && d->day >= 1 && d->day <= 31;
}

int main(int argc, char **argv)
{
    struct date d;
    int ok;

    assert(argc == 2);
    ok = parse(argv[1], &d);
    assert(d.year == 2024 && d.month == 3);
    assert(ok && d.day == 9); //~ failure: assertion
    return 0;
}
