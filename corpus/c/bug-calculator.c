// A stack calculator for postfix formulas. The operands of a difference are in the wrong order.
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

static int stack[16];
static int depth;

static void push(int value)
{
    stack[depth++] = value;
}

static int pop(void)
{
    assert(depth > 0);
    return stack[--depth];
}

static int evaluate(const char *text)
{
    for (; *text; text++) {
        if (isdigit((unsigned char)*text)) {
            char *rest;

            push((int)strtol(text, &rest, 10));
            text = rest - 1;
        } else if (*text != ' ') {
            int right = pop();
            int left = pop();

            switch (*text) {
            case '+': push(left + right); break;
            case '*': push(left * right); break;
            case '-': push(right - left); break; //~ fault
            }
        }
    }
    return pop();
}

int main(void)
{
    assert(evaluate("2 3 + 4 *") == 20);
    assert(evaluate("7 7 -") == 0);
    assert(evaluate("20 5 1 - 2 * -") == 12); //~ failure: assertion
    return 0;
}
