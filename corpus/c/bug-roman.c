//@ expect: bug-roman.out
// Roman numerals by greedy subtraction; one of the values in the table is wrong.
#include <stdio.h>
#include <string.h>

struct numeral {
    int value;
    const char *text;
};

static struct numeral table[] = {
    { 100, "C" }, { 90, "XC" }, { 50, "L" }, { 40, "XL" }, //~ relevance: enforcing, enforcing, enforcing, enforcing
    { 10, "X" }, { 9, "IX" }, { 5, "V" }, { 6, "IV" }, { 1, "I" }, //~ fault //~ relevance: enforcing, enforcing, enforcing, enforcing, enforcing
};

static void roman(int n, char *out)
{
    out[0] = '\0'; //~ relevance: enforcing
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) //~ relevance: enforcing, enforcing
        while (n >= table[i].value) {
            strcat(out, table[i].text); //~ relevance: enforcing, enforcing
            n -= table[i].value; //~ relevance: enforcing
        }
}

int main(void)
{
    static const int years[] = { 3, 18, 44, 99 }; //~ relevance: enforcing, enforcing, enforcing

    for (int i = 0; i < 4; i++) { //~ relevance: enforcing, enforcing
        char text[32];

        roman(years[i], text); //~ relevance: enforcing, enforcing
        printf("%d %s\n", years[i], text); //~ failure: wrong-output
    }
    return 0;
}
