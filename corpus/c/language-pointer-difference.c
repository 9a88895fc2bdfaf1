// The length of a token is the distance of two pointers; its end is found one too late.
#include <assert.h>
#include <stddef.h>

struct token {
    const char *begin;
    const char *end;
};

static struct token first_word(const char *text)
{
    struct token t;

    while (*text == ' ')
        text++; //~ relevance: enforcing
    t.begin = text; //~ relevance: enforcing
    while (*text != ' ' && *text != '\0')
        text++; //~ relevance: enforcing
    t.end = text + 1; //~ fault //~ relevance: enforcing
    return t; //~ relevance: enforcing
}

int main(void)
{
    struct token t = first_word("  lorem ipsum"); //~ relevance: enforcing, enforcing
    ptrdiff_t length = t.end - t.begin; //~ relevance: enforcing
    double grid[4][4] = { { 0 } }; //~ relevance: irrelevant

    assert(&grid[2][1] - &grid[0][0] == 9);
    assert(t.begin - t.end == -length);
    assert(length == 5); //~ failure: assertion
    return 0;
}
