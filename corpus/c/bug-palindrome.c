// Asks whether a phrase reads the same backwards; only one side skips what is no letter.
#include <assert.h>
#include <ctype.h>
#include <string.h>

static int is_palindrome(const char *text)
{
    const char *left = text;
    const char *right = text + strlen(text);

    while (left < right) {
        if (!isalpha((unsigned char)*left)) {
            left++;
        } else if (!isalpha((unsigned char)right[-1])) {
            left++; //~ fault
        } else {
            if (tolower((unsigned char)*left) != tolower((unsigned char)right[-1]))
                return 0;
            left++;
            right--;
        }
    }
    return 1;
}

int main(void)
{
    assert(is_palindrome("Level"));
    assert(!is_palindrome("levels"));
    assert(is_palindrome(", noon"));
    assert(!is_palindrome("abc!")); //~ failure: assertion
    return 0;
}
