//@ expect-exit: 0
// A checker of settings answers with the number of problems. It counts a valid one.
#include <stdio.h>

static const char *settings[] = { "speed=3", "name=", "debug", "level=9" };

static int is_valid(const char *s)
{
    if (*s == '=')
        return 0;
    while (*s && *s != '=')
        s++; //~ relevance: enforcing
    return *s == '='; //~ fault //~ relevance: enforcing
}

int main(void)
{
    int problems = 0; //~ relevance: enforcing

    for (int i = 0; i < 4; i++) //~ relevance: enforcing, enforcing
        if (!is_valid(settings[i])) { //~ relevance: enforcing
            fprintf(stderr, "bad setting: %s\n", settings[i]);
            problems++; //~ relevance: enforcing
        }
    return problems; //~ failure: exit-status //~ relevance: enforcing
}
