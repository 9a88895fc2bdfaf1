//@ stdin: bug-histogram.in
//@ expect: bug-histogram.out
// Letters as bars. The bar of each letter is drawn with the count of the next one.
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int counts[27] = { 0 };
    int c;

    while ((c = getchar()) != EOF)
        if (isalpha(c))
            counts[tolower(c) - 'a']++;
    for (int i = 0; i < 26; i++) {
        int length = counts[i + 1]; //~ fault

        if (counts[i] == 0)
            continue;
        printf("%c ", 'a' + i);
        while (length-- > 0)
            putchar('*');
        putchar('\n'); //~ failure: wrong-output
    }
    return 0;
}
