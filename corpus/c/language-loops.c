// for, while and do loops with break and continue; a zero should end the list, not be skipped.
#include <assert.h>

static int sum_until_zero(const int *list)
{
    int sum = 0; //~ relevance: enforcing

    for (int i = 0; i < 6; i++) { //~ relevance: enforcing, enforcing
        if (list[i] == 0)
            continue; //~ fault
        if (list[i] < 0)
            continue;
        sum += list[i]; //~ relevance: enforcing
    }
    return sum; //~ relevance: enforcing
}

static int digits(unsigned n)
{
    int count = 0; //~ relevance: enforcing

    do {
        count++; //~ relevance: enforcing
        n /= 10; //~ relevance: enforcing
    } while (n);
    return count; //~ relevance: enforcing
}

int main(void)
{
    int list[6] = { 3, -1, 4, 0, 9, 9 }; //~ relevance: enforcing
    int power = 1; //~ relevance: enforcing

    while (1) {
        power *= 2; //~ relevance: enforcing
        if (digits(power) == 3) //~ relevance: enforcing
            break;
    }
    assert(digits(0) == 1 && power == 128); //~ relevance: enforcing
    assert(sum_until_zero(list) == 7); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
