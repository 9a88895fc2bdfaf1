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
        text++;
    t.begin = text;
    while (*text != ' ' && *text != '\0')
        text++;
    t.end = text + 1; //~ fault
    return t;
}

int main(void)
{
    struct token t = first_word("  lorem ipsum");
    ptrdiff_t length = t.end - t.begin;
    double grid[4][4] = { { 0 } };

    assert(&grid[2][1] - &grid[0][0] == 9);
    assert(t.begin - t.end == -length);
    assert(length == 5); //~ failure: assertion
    return 0;
}
