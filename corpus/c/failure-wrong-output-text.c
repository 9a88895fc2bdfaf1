//@ stdin: failure-wrong-output-text.in
//@ expect: failure-wrong-output-text.out
// Capitalises each word and prints the text letter by letter, then the longest word.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[32], longest[32] = "";

    while (scanf("%31s", word) == 1) {
        for (int i = 0; word[i]; i++) {
            int c = (unsigned char)word[i];

            if (i == 1) //~ fault
                c = toupper(c);
            putchar(c); //~ failure: wrong-output
        }
        putchar('\n');
        if (strlen(word) > strlen(longest))
            strcpy(longest, word);
    }
    printf("longest: %s\n", longest);
    return 0;
}
