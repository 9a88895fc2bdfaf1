// Checks that brackets match. A curly bracket waits for a round one.
#include <assert.h>

static int balanced(const char *text)
{
    char open[16];
    int depth = 0;

    for (; *text; text++) {
        switch (*text) {
        case '(': open[depth++] = ')'; break;
        case '[': open[depth++] = ']'; break;
        case '{': open[depth++] = ')'; break; //~ fault
        case ')':
        case ']':
        case '}':
            if (depth == 0 || open[--depth] != *text)
                return 0;
        }
    }
    return depth == 0;
}

int main(void)
{
    assert(balanced("a[(i + 1) * 2]"));
    assert(!balanced("(]"));
    assert(!balanced("(("));
    assert(balanced("f(x) { g[0]; }")); //~ failure: assertion
    return 0;
}
