// Asks whether a phrase reads the same backwards; only one side skips what is no letter.
#include <assert.h>
#include <ctype.h>
#include <string.h>

static int is_palindrome(const char *text)
{
    const char *left = text; //~ relevance: enforcing
    const char *right = text + strlen(text); //~ relevance: enforcing, enforcing

    while (left < right) {
        if (!isalpha((unsigned char)*left)) { //~ relevance: enforcing
            left++; //~ relevance: enforcing
        } else if (!isalpha((unsigned char)right[-1])) { //~ relevance: enforcing
            left++; //~ fault //~ relevance: enforcing
        } else {
            if (tolower((unsigned char)*left) != tolower((unsigned char)right[-1]))
    //~^ relevance: enforcing, enforcing
                return 0; //~ relevance: enforcing
            left++; //~ relevance: enforcing
            right--; //~ relevance: enforcing
        }
    }
    return 1; //~ relevance: enforcing
}

int main(void)
{
    assert(is_palindrome("Level")); //~ relevance: enforcing
    assert(!is_palindrome("levels")); //~ relevance: enforcing
    assert(is_palindrome(", noon")); //~ relevance: enforcing
    assert(!is_palindrome("abc!")); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
