// Splits a formula into numbers, names and signs. A name may contain digits, but its scan stops at them.
#include <assert.h>
#include <ctype.h>

enum kind { END, NUMBER, NAME, SIGN };

static const char *at;

static enum kind next(void)
{
    while (isspace((unsigned char)*at))
        at++;
    if (*at == '\0')
        return END;
    if (isdigit((unsigned char)*at)) {
        while (isdigit((unsigned char)*at))
            at++;
        return NUMBER;
    }
    if (isalpha((unsigned char)*at)) {
        while (isalpha((unsigned char)*at)) //~ fault
            at++;
        return NAME;
    }
    at++;
    return SIGN;
}

static int count(const char *text)
{
    int n = 0;

    at = text;
    while (next() != END)
        n++;
    return n;
}

int main(void)
{
    assert(count("") == 0);
    assert(count("a + 12") == 3);
    assert(count("x1 = y2*3") == 5); //~ failure: assertion
    return 0;
}
