// Digits of a number are written into a local buffer, which is too short for ten of them.
#include <string.h>

static int longest;

static void note(unsigned number)
{
    char digits[8]; //~ fault
    int n = 0;

    do {
        digits[n++] = (char)('0' + number % 10); //~ failure: out-of-bounds
        number /= 10;
    } while (number);
    digits[n] = '\0';
    if ((int)strlen(digits) > longest)
        longest = (int)strlen(digits);
}

int main(void)
{
    note(42);
    note(1234567);
    note(4000000000u);
    return longest == 10 ? 0 : 1;
}
