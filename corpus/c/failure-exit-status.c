//@ expect-exit: 0
// A checker of settings answers with the number of problems. It counts a valid one.
#include <stdio.h>

static const char *settings[] = { "speed=3", "name=", "debug", "level=9" };

static int is_valid(const char *s)
{
    if (*s == '=')
        return 0;
    while (*s && *s != '=')
        s++;
    return *s == '='; //~ fault
}

int main(void)
{
    int problems = 0;

    for (int i = 0; i < 4; i++)
        if (!is_valid(settings[i])) {
            fprintf(stderr, "bad setting: %s\n", settings[i]);
            problems++;
        }
    return problems; //~ failure: exit-status
}
