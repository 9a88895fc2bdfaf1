// A variadic function reads ints, doubles, longs and strings by a format; `d` is counted twice.
#include <assert.h>
#include <stdarg.h>

static double total(const char *kinds, ...)
{
    va_list list;
    double sum = 0;

    va_start(list, kinds);
    for (; *kinds; kinds++) {
        if (*kinds == 'i') {
            sum += va_arg(list, int);
        } else if (*kinds == 'd') {
            double value = va_arg(list, double);
            sum += 2 * value; //~ fault
        } else if (*kinds == 'l') {
            sum += (double)va_arg(list, long long);
        } else {
            const char *text = va_arg(list, const char *);
            while (*text)
                sum += *text++ - '0';
        }
    }
    va_end(list);
    return sum;
}

int main(void)
{
    assert(total("iis", 1, -3, "25") == 5.0);
    assert(total("") == 0.0);
    assert(total("idliiii", 1, 0.5, 10LL, 2, 3, 4, 5) == 25.5); //~ failure: assertion
    return 0;
}
