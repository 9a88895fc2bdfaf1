// Reverses a text in place. The first swap moves the terminator to the front.
#include <assert.h>
#include <string.h>

static void reverse(char *text)
{
    size_t left = 0;
    size_t right = strlen(text); //~ fault

    while (left < right) {
        char kept = text[left];

        text[left] = text[right];
        text[right] = kept;
        left++;
        right--;
    }
}

int main(void)
{
    char word[] = "stressed";

    reverse(word);
    assert(strcmp(word, "desserts") == 0); //~ failure: assertion
    return 0;
}
