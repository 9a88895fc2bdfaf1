//@ expect: bug-roman.out
// Roman numerals by greedy subtraction; one of the values in the table is wrong.
#include <stdio.h>
#include <string.h>

struct numeral {
    int value;
    const char *text;
};

static struct numeral table[] = {
    { 100, "C" }, { 90, "XC" }, { 50, "L" }, { 40, "XL" },
    { 10, "X" }, { 9, "IX" }, { 5, "V" }, { 6, "IV" }, { 1, "I" }, //~ fault
};

static void roman(int n, char *out)
{
    out[0] = '\0';
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        while (n >= table[i].value) {
            strcat(out, table[i].text);
            n -= table[i].value;
        }
}

int main(void)
{
    static const int years[] = { 3, 18, 44, 99 };

    for (int i = 0; i < 4; i++) {
        char text[32];

        roman(years[i], text);
        printf("%d %s\n", years[i], text); //~ failure: wrong-output
    }
    return 0;
}
