//@ args: 2024-03-09
// Reads a date in ISO form. Of the day only one digit is read.
#include <assert.h>
#include <ctype.h>

struct date {
    int year, month, day;
};

static int number(const char **text, int digits)
{
    int value = 0; //~ relevance: enforcing

    while (digits-- > 0) { //~ relevance: enforcing
        if (!isdigit((unsigned char)**text)) //~ relevance: enforcing
            return -1;
        value = value * 10 + (*(*text)++ - '0'); //~ relevance: enforcing, enforcing
    }
    return value; //~ relevance: enforcing
}

static int parse(const char *text, struct date *d)
{
    d->year = number(&text, 4); //~ relevance: enforcing, enforcing, enforcing
    if (*text++ != '-') //~ relevance: enforcing
        return 0;
    d->month = number(&text, 2); //~ relevance: enforcing, enforcing, enforcing
    if (*text++ != '-') //~ relevance: enforcing
        return 0;
    d->day = number(&text, 1); //~ fault //~ relevance: enforcing, enforcing, enforcing
    return d->month >= 1 && d->month <= 12 && d->day >= 1 && d->day <= 31; //~ relevance: enforcing
}

int main(int argc, char **argv)
{
    struct date d;
    int ok;

    assert(argc == 2);
    ok = parse(argv[1], &d); //~ relevance: enforcing, enforcing, enforcing
    assert(d.year == 2024 && d.month == 3);
    assert(ok && d.day == 9); //~ failure: assertion
    return 0;
}
