// As reference.c, but z is no letter, and the last word does not count.
#include <stdio.h>
#include <string.h>

static int letters(const char *text)
{
    int count = 0;

    for (; *text != '\0'; text++)
        if ((*text >= 'a' && *text < 'z') || (*text >= 'A' && *text <= 'Z')) //~ fault
            count++;
    return count;
}

static int longest_word(const char *text)
{
    int longest = 0;
    int length = 0;

    for (; *text != '\0'; text++) {
        if (*text == ' ') {
            if (length > longest)
                longest = length;
            length = 0;
        } else {
            length++;
        }
    }
    return longest; //~ fault
}

int main(void)
{
    char text[200];

    if (fgets(text, sizeof text, stdin) == NULL)
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    printf("%d letters\n", letters(text));
    printf("longest word: %d\n", longest_word(text));
    return 0;
}
