// String literals, their escapes and lengths. One escape of the separator is an ordinary letter.
#include <assert.h>

static const char *const days[] = { "Mon", "Tue", "Wed" };

static int fields(const char *line, char separator)
{
    int count = 1; //~ relevance: enforcing

    for (const char *p = line; *p; p++) //~ relevance: enforcing, enforcing
        if (*p == separator)
            count++; //~ relevance: enforcing
    return count; //~ relevance: enforcing
}

int main(void)
{
    const char *line = "left\tright" //~ relevance: enforcing
                       "\x09top";
    char separator = 't'; //~ fault //~ relevance: enforcing

    assert(sizeof "tab\0ular" == 9);
    assert(days[1][0] == 'T' && days[2][3] == '\0');
    assert(fields(line, separator) == 3); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
