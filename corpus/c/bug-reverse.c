// Reverses a text in place. The first swap moves the terminator to the front.
#include <assert.h>
#include <string.h>

static void reverse(char *text)
{
    size_t left = 0; //~ relevance: enforcing
    size_t right = strlen(text); //~ fault //~ relevance: enforcing, enforcing

    while (left < right) {
        char kept = text[left]; //~ relevance: irrelevant

        text[left] = text[right]; //~ relevance: enforcing
        text[right] = kept; //~ relevance: irrelevant
        left++; //~ relevance: enforcing
        right--; //~ relevance: enforcing
    }
}

int main(void)
{
    char word[] = "stressed"; //~ relevance: enforcing

    reverse(word); //~ relevance: enforcing
    assert(strcmp(word, "desserts") == 0); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
