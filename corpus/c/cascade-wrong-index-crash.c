//@ args: 2026-11-30
// Wrong index, computed by a statement of its own: the months of a date count from 1, those of the
// table from 0. What looks like "the next one" is the one after.
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
};

static int number_at(const char *text, int length)
{
    int number = 0;

    for (int i = 0; i < length; i++)
        number = number * 10 + (text[i] - '0');
    return number;
}

static const char *month_after(const char *date)
{
    int month = number_at(date + 5, 2);
    int index = month + 1; //~ fault //~ cascade

    return names[index]; //~ failure: out-of-bounds
}

int main(int argc, char **argv)
{
    const char *name = month_after(argc > 1 ? argv[1] : "2026-01-01");

    printf("next: %s (%d letters)\n", name, (int)strlen(name));
    return 0;
}
