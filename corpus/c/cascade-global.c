// Through a global: the indentation of a printer is raised at each opening bracket and should be lowered
// at each closing one. It is lowered only if it is larger than one step.
#include <assert.h>
#include <stdio.h>

enum { STEP = 2 };

static int indentation;
static int deepest;

static void open_bracket(void)
{
    indentation += STEP;
    if (indentation > deepest)
        deepest = indentation;
}

static void close_bracket(void)
{
    if (indentation > STEP) //~ fault //~ cascade
        indentation -= STEP;
}

static void lay_out(const char *text)
{
    for (; *text; text++)
        if (*text == '(')
            open_bracket();
        else if (*text == ')')
            close_bracket();
}

int main(void)
{
    lay_out("f(a, g(b))");
    printf("deepest %d\n", deepest);
    assert(indentation == 0); //~ failure: assertion
    return 0;
}
