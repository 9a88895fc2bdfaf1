// Counts lines and words.
#include <stdio.h>

int main(void)
{
    int c;
    int lines = 0;
    int words = 0;
    int inside = 0;

    while ((c = getchar()) != EOF) {
        if (c == '\n')
            lines++;
        if (c == ' ' || c == '\n' || c == '\t') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    printf("%d lines, %d words\n", lines, words);
    return 0;
}
