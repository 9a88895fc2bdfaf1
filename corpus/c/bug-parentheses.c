// Checks that brackets match. A curly bracket waits for a round one.
#include <assert.h>

static int balanced(const char *text)
{
    char open[16];
    int depth = 0; //~ relevance: enforcing

    for (; *text; text++) { //~ relevance: enforcing
        switch (*text) {
        case '(': open[depth++] = ')'; break; //~ relevance: enforcing, enforcing
        case '[': open[depth++] = ']'; break; //~ relevance: enforcing, enforcing
        case '{': open[depth++] = ')'; break; //~ fault //~ relevance: enforcing, enforcing
        case ')':
        case ']':
        case '}':
            if (depth == 0 || open[--depth] != *text) //~ relevance: enforcing
                return 0; //~ relevance: enforcing
        }
    }
    return depth == 0; //~ relevance: enforcing
}

int main(void)
{
    assert(balanced("a[(i + 1) * 2]")); //~ relevance: enforcing
    assert(!balanced("(]")); //~ relevance: enforcing
    assert(!balanced("((")); //~ relevance: enforcing
    assert(balanced("f(x) { g[0]; }")); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
