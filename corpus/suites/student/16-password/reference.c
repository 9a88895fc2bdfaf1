// Whether a password is good: long enough, with a capital and a digit.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[64];

    while (scanf("%63s", word) == 1) {
        int capital = 0;
        int digit = 0;

        for (int i = 0; word[i] != '\0'; i++) {
            if (isupper((unsigned char)word[i]))
                capital = 1;
            if (isdigit((unsigned char)word[i]))
                digit = 1;
        }
        if (strlen(word) < 8)
            printf("too short\n");
        else if (!capital || !digit)
            printf("too simple\n");
        else
            printf("good\n");
    }
    return 0;
}
