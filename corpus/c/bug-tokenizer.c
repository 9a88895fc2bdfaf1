// Splits a formula into numbers, names and signs. A name may contain digits, but its scan stops at them.
#include <assert.h>
#include <ctype.h>

enum kind { END, NUMBER, NAME, SIGN };

static const char *at;

static enum kind next(void)
{
    while (isspace((unsigned char)*at)) //~ relevance: enforcing
        at++; //~ relevance: enforcing
    if (*at == '\0')
        return END; //~ relevance: enforcing
    if (isdigit((unsigned char)*at)) { //~ relevance: enforcing
        while (isdigit((unsigned char)*at)) //~ relevance: enforcing
            at++; //~ relevance: enforcing
        return NUMBER; //~ relevance: enforcing
    }
    if (isalpha((unsigned char)*at)) { //~ relevance: enforcing
        while (isalpha((unsigned char)*at)) //~ fault //~ relevance: enforcing
            at++; //~ relevance: enforcing
        return NAME; //~ relevance: enforcing
    }
    at++; //~ relevance: enforcing
    return SIGN; //~ relevance: enforcing
}

static int count(const char *text)
{
    int n = 0; //~ relevance: enforcing

    at = text; //~ relevance: enforcing
    while (next() != END)
        n++; //~ relevance: enforcing
    return n; //~ relevance: enforcing
}

int main(void)
{
    assert(count("") == 0); //~ relevance: enforcing
    assert(count("a + 12") == 3); //~ relevance: enforcing
    assert(count("x1 = y2*3") == 5); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
