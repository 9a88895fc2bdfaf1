// The digits of a negative number, after it was made positive.
#include <limits.h>
#include <stdio.h>

static int write_number(long long n, char *out)
{
    int length = 0;
    unsigned long long rest = n;

    if (n < 0) {
        out[length++] = '-';
        rest = -n; //~ fault
        //~^ failure: signed-overflow
    }
    do {
        out[length++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    return length;
}

int main(void)
{
    char out[24];

    printf("%d\n", write_number(-15, out));
    printf("%d\n", write_number(LLONG_MIN, out));
    return 0;
}
