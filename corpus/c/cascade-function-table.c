//@ args: 6 x 7
// Through a table of function pointers: the operator is looked up by its sign. The test for a product
// knows the wrong sign, so the first entry is called.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef int operation(int, int);

static int sum(int a, int b) { return a + b; }
static int difference(int a, int b) { return a - b; }
static int product(int a, int b) { return a * b; }

static operation *const table[] = { sum, difference, product };

static int entry_for(char sign)
{
    int entry = 0;

    if (sign == '-')
        entry = 1;
    else if (sign == '*') //~ fault //~ cascade
        entry = 2;
    return entry;
}

static int compute(int a, char sign, int b)
{
    operation *chosen = table[entry_for(sign)];

    return chosen(a, b);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 1;

    int result = compute(atoi(argv[1]), argv[2][0], atoi(argv[3]));

    printf("%d\n", result);
    assert(result == 42); //~ failure: assertion
    return 0;
}
