// Turns a title into an identifier with ctype.h. Digits are dropped by the wrong test.
#include <assert.h>
#include <ctype.h>
#include <string.h>

static void identifier(const char *title, char *out)
{
    for (; *title; title++) {
        unsigned char c = (unsigned char)*title;
        if (isalpha(c)) //~ fault
            *out++ = (char)tolower(c);
        else if (isspace(c))
            *out++ = '_';
    }
    *out = '\0';
}

int main(void)
{
    char out[40];

    assert(isxdigit('F') && !isxdigit('g') && ispunct('!') && toupper('q') == 'Q');
    identifier("Hello, World", out);
    assert(strcmp(out, "hello_world") == 0);
    identifier("Part 2", out);
    assert(strcmp(out, "part_2") == 0); //~ failure: assertion
    return 0;
}
