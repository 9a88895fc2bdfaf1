// A stack calculator for postfix formulas. The operands of a difference are in the wrong order.
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

static int stack[16];
static int depth;

static void push(int value)
{
    stack[depth++] = value; //~ relevance: enforcing, enforcing
}

static int pop(void)
{
    assert(depth > 0);
    return stack[--depth]; //~ relevance: enforcing, enforcing
}

static int evaluate(const char *text)
{
    for (; *text; text++) { //~ relevance: enforcing
        if (isdigit((unsigned char)*text)) { //~ relevance: enforcing
            char *rest;

            push((int)strtol(text, &rest, 10)); //~ relevance: enforcing, enforcing, enforcing, enforcing
            text = rest - 1; //~ relevance: enforcing
        } else if (*text != ' ') {
            int right = pop(); //~ relevance: enforcing
            int left = pop(); //~ relevance: enforcing

            switch (*text) {
            case '+': push(left + right); break; //~ relevance: enforcing
            case '*': push(left * right); break; //~ relevance: enforcing
            case '-': push(right - left); break; //~ fault //~ relevance: enforcing
            }
        }
    }
    return pop(); //~ relevance: enforcing
}

int main(void)
{
    assert(evaluate("2 3 + 4 *") == 20); //~ relevance: enforcing
    assert(evaluate("7 7 -") == 0); //~ relevance: enforcing
    assert(evaluate("20 5 1 - 2 * -") == 12); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
