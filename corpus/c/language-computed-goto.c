// A small machine that jumps through a table of labels. One opcode lies about its length.
#include <assert.h>

enum { PUSH, ADD, DOUBLE, HALT };

static int run(const int *code)
{
    static const void *const labels[] = { &&push, &&add, &&twice, &&halt };
    int stack[8];
    int depth = 0; //~ relevance: enforcing

    goto *labels[*code];
push:
    stack[depth++] = code[1]; //~ relevance: enforcing, enforcing
    code += 2; //~ relevance: enforcing
    goto *labels[*code];
add:
    depth--; //~ relevance: enforcing
    stack[depth - 1] += stack[depth]; //~ relevance: enforcing
    code++; //~ relevance: enforcing
    goto *labels[*code];
twice:
    stack[depth - 1] *= 2; //~ relevance: enforcing
    code += 2; //~ fault //~ relevance: enforcing
    goto *labels[*code];
halt:
    return stack[depth - 1]; //~ relevance: enforcing
}

int main(void)
{
    int code[] = { PUSH, 5, PUSH, 6, ADD, DOUBLE, DOUBLE, HALT }; //~ relevance: enforcing

    assert(run(code) == 44); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
