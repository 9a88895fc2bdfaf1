// Stale pointer: the name of a month is written into one buffer that every call uses again. The first
// result is not the first month any more when it is compared.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun" };

static const char *label(int year, int month)
{
    static char text[16];

    strcpy(text, months[month - 1]);
    strcat(text, " ");
    text[4] = (char)('0' + year / 10 % 10);
    text[5] = (char)('0' + year % 10);
    text[6] = '\0';
    return text;
}

int main(void)
{
    const char *begin = label(2025, 6); //~ fault //~ cascade
    const char *end = label(2026, 2);

    printf("%s - %s\n", begin, end);
    assert(strcmp(begin, end) != 0); //~ failure: assertion
    return 0;
}
