// Wrong argument: a range is cut out of a list. Its caller mixes up the end and the length.
#include <assert.h>
#include <string.h>

static int cut(int *out, const int *list, int begin, int length)
{
    for (int i = 0; i < length; i++)
        out[i] = list[begin + i];
    return length;
}

static int tail(int *out, const int *list, int begin, int end)
{
    return cut(out, list, begin, end); //~ fault //~ cascade
}

int main(void)
{
    int list[10], part[10];

    for (int i = 0; i < 10; i++)
        list[i] = i * i;
    memset(part, 0, sizeof part);

    int taken = tail(part, list, 3, 7);
    int sum = 0;

    for (int i = 0; i < taken; i++)
        sum += part[i];
    assert(sum == 9 + 16 + 25 + 36); //~ failure: assertion
    return 0;
}
