// A small machine that jumps through a table of labels. One opcode lies about its length.
#include <assert.h>

enum { PUSH, ADD, DOUBLE, HALT };

static int run(const int *code)
{
    static const void *const labels[] = { &&push, &&add, &&twice, &&halt };
    int stack[8];
    int depth = 0;

    goto *labels[*code];
push:
    stack[depth++] = code[1];
    code += 2;
    goto *labels[*code];
add:
    depth--;
    stack[depth - 1] += stack[depth];
    code++;
    goto *labels[*code];
twice:
    stack[depth - 1] *= 2;
    code += 2; //~ fault
    goto *labels[*code];
halt:
    return stack[depth - 1];
}

int main(void)
{
    int code[] = { PUSH, 5, PUSH, 6, ADD, DOUBLE, DOUBLE, HALT };

    assert(run(code) == 44); //~ failure: assertion
    return 0;
}
