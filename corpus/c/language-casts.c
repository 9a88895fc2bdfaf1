// A checksum over bytes that are read as char: those above 127 count negative.
#include <assert.h>

static unsigned checksum(const char *bytes, int n)
{
    unsigned sum = 0; //~ relevance: enforcing

    for (int i = 0; i < n; i++) { //~ relevance: enforcing, enforcing
        unsigned value = (unsigned)(signed char)bytes[i]; //~ fault //~ relevance: enforcing
        sum += value; //~ relevance: enforcing
    }
    return sum; //~ relevance: enforcing
}

int main(void)
{
    char bytes[] = { 1, 2, (char)0xF0 }; //~ relevance: irrelevant
    unsigned small = (unsigned short)(-1); //~ relevance: enforcing
    int truncated = (int)-2.9; //~ relevance: enforcing

    assert(small == 65535u && truncated == -2);
    assert(checksum(bytes, 3) == 1 + 2 + 0xF0); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
