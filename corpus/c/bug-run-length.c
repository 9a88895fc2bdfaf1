// Run-length coding: the last run is never written.
#include <assert.h>
#include <string.h>

static void encode(const char *text, char *out)
{
    int run = 1; //~ relevance: enforcing

    for (int i = 1; text[i]; i++) { //~ fault //~ relevance: enforcing, enforcing
        if (text[i] == text[i - 1]) {
            run++; //~ relevance: enforcing
        } else {
            *out++ = (char)('0' + run); //~ relevance: enforcing, enforcing
            *out++ = text[i - 1]; //~ relevance: enforcing, enforcing
            run = 1; //~ relevance: enforcing
        }
    }
    *out = '\0'; //~ relevance: enforcing
}

int main(void)
{
    char out[32];

    encode("aaabcc", out); //~ relevance: enforcing, enforcing
    assert(strncmp(out, "3a1b", 4) == 0); //~ relevance: enforcing, enforcing, enforcing
    assert(strcmp(out, "3a1b2c") == 0); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
