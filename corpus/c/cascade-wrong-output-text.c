//@ expect: cascade-wrong-output-text.out
// Wrong output: words are put on a line until it is full. The blank between two words is not counted, so
// that the second line is too long.
#include <stdio.h>
#include <string.h>

static void fill(const char *text, int width)
{
    char line[80];
    int used = 0;

    line[0] = '\0';
    while (*text) {
        int length = (int)strcspn(text, " ");

        if (used > 0 && used + length > width) { //~ fault //~ cascade
            printf("[%s]\n", line);
            used = 0;
        }
        if (used > 0)
            line[used++] = ' ';
        memcpy(line + used, text, (size_t)length);
        used += length;
        line[used] = '\0';
        text += length;
        if (*text == ' ')
            text++;
    }
    printf("[%s]\n", line); //~ failure: wrong-output
}

int main(void)
{
    fill("to be or not to be", 8);
    return 0;
}
