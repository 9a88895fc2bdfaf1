// for, while and do loops with break and continue; a zero should end the list, not be skipped.
#include <assert.h>

static int sum_until_zero(const int *list)
{
    int sum = 0;

    for (int i = 0; i < 6; i++) {
        if (list[i] == 0)
            continue; //~ fault
        if (list[i] < 0)
            continue;
        sum += list[i];
    }
    return sum;
}

static int digits(unsigned n)
{
    int count = 0;

    do {
        count++;
        n /= 10;
    } while (n);
    return count;
}

int main(void)
{
    int list[6] = { 3, -1, 4, 0, 9, 9 };
    int power = 1;

    while (1) {
        power *= 2;
        if (digits(power) == 3)
            break;
    }
    assert(digits(0) == 1 && power == 128);
    assert(sum_until_zero(list) == 7); //~ failure: assertion
    return 0;
}
