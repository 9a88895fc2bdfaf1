// Whether words are palindromes.
#include <stdio.h>
#include <string.h>

static int is_palindrome(const char *word)
{
    int length = (int)strlen(word);

    for (int i = 0; i < length / 2; i++) {
        if (word[i] != word[length - 1 - i])
            return 0;
    }
    return 1;
}

int main(void)
{
    char word[50];

    while (scanf("%49s", word) == 1) {
        if (is_palindrome(word))
            printf("%s: yes\n", word);
        else
            printf("%s: no\n", word);
    }
    return 0;
}
