// Run-length coding: the last run is never written.
#include <assert.h>
#include <string.h>

static void encode(const char *text, char *out)
{
    int run = 1;

    for (int i = 1; text[i]; i++) { //~ fault
        if (text[i] == text[i - 1]) {
            run++;
        } else {
            *out++ = (char)('0' + run);
            *out++ = text[i - 1];
            run = 1;
        }
    }
    *out = '\0';
}

int main(void)
{
    char out[32];

    encode("aaabcc", out);
    assert(strncmp(out, "3a1b", 4) == 0);
    assert(strcmp(out, "3a1b2c") == 0); //~ failure: assertion
    return 0;
}
