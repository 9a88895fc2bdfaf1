// As reference.c, but differences are the wrong way round, and the depth of the stack is compared with the largest value.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static int stack[32];
static int depth = 0;
static int largest = 0;

static void push(int value)
{
    if (depth == 32)
        exit(3);
    stack[depth++] = value;
    if (depth > largest) //~ fault
        largest = value;
}

static int pop(void)
{
    if (depth == 0) {
        printf("too few operands\n");
        exit(1);
    }
    return stack[--depth];
}

int main(void)
{
    char word[16];

    while (scanf("%15s", word) == 1) {
        if (isdigit((unsigned char)word[0])) {
            push(atoi(word));
            continue;
        }

        int right = pop();
        int left = pop();

        if (word[0] == '+')
            push(left + right);
        else if (word[0] == '-')
            push(right - left); //~ fault
        else
            push(left * right);
    }
    printf("result %d\n", pop());
    printf("largest %d\n", largest);
    return 0;
}
