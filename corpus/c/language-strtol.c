// Numbers from text by strtol, atoi and strtod. A list in hexadecimal is read in base ten.
#include <assert.h>
#include <stdlib.h>

static long sum_of(const char *list, int base)
{
    char *rest;
    long sum = 0;

    for (;;) {
        sum += strtol(list, &rest, base);
        if (*rest != ',')
            return sum;
        list = rest + 1;
    }
}

int main(void)
{
    char *rest;
    int base = 10; //~ fault

    assert(atoi("  -17kg") == -17);
    assert(strtod("2.5e1;", &rest) == 25.0 && *rest == ';');
    assert(strtol("0x1F", 0, 0) == 31 && strtoul("777", 0, 8) == 511);
    assert(sum_of("1,2,30", base) == 51); //~ failure: assertion
    return 0;
}
