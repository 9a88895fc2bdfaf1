// String literals, their escapes and lengths. One escape of the separator is an ordinary letter.
#include <assert.h>

static const char *const days[] = { "Mon", "Tue", "Wed" };

static int fields(const char *line, char separator)
{
    int count = 1;

    for (const char *p = line; *p; p++)
        if (*p == separator)
            count++;
    return count;
}

int main(void)
{
    const char *line = "left\tright"
                       "\x09top";
    char separator = 't'; //~ fault

    assert(sizeof "tab\0ular" == 9);
    assert(days[1][0] == 'T' && days[2][3] == '\0');
    assert(fields(line, separator) == 3); //~ failure: assertion
    return 0;
}
