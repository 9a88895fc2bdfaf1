// The digits of a negative number, after it was made positive.
#include <limits.h>
#include <stdio.h>

static int write_number(long long n, char *out)
{
    int length = 0; //~ relevance: enforcing
    unsigned long long rest = n; //~ relevance: irrelevant

    if (n < 0) {
        out[length++] = '-'; //~ relevance: enforcing
        rest = -n; //~ fault //~ relevance: enforcing
        //~^ failure: signed-overflow
    }
    do {
        out[length++] = (char)('0' + rest % 10); //~ relevance: enforcing
        rest /= 10; //~ relevance: enforcing
    } while (rest);
    return length; //~ relevance: irrelevant
}

int main(void)
{
    char out[24];

    printf("%d\n", write_number(-15, out)); //~ relevance: enforcing, enforcing
    printf("%d\n", write_number(LLONG_MIN, out)); //~ relevance: enforcing, enforcing
    return 0;
}
