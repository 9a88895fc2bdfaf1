// Digits of a number are written into a local buffer, which is too short for ten of them.
#include <string.h>

static int longest;

static void note(unsigned number)
{
    char digits[8]; //~ fault
    int n = 0; //~ relevance: enforcing

    do {
        digits[n++] = (char)('0' + number % 10); //~ failure: out-of-bounds
    //~^ relevance: enforcing, enforcing
        number /= 10; //~ relevance: enforcing
    } while (number);
    digits[n] = '\0'; //~ relevance: enforcing
    if ((int)strlen(digits) > longest) //~ relevance: enforcing
        longest = (int)strlen(digits); //~ relevance: enforcing, enforcing
}

int main(void)
{
    note(42); //~ relevance: enforcing
    note(1234567); //~ relevance: enforcing
    note(4000000000u); //~ relevance: enforcing
    return longest == 10 ? 0 : 1;
}
