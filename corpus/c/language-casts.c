// A checksum over bytes that are read as char: those above 127 count negative.
#include <assert.h>

static unsigned checksum(const char *bytes, int n)
{
    unsigned sum = 0;

    for (int i = 0; i < n; i++) {
        unsigned value = (unsigned)(signed char)bytes[i]; //~ fault
        sum += value;
    }
    return sum;
}

int main(void)
{
    char bytes[] = { 1, 2, (char)0xF0 };
    unsigned small = (unsigned short)(-1);
    int truncated = (int)-2.9;

    assert(small == 65535u && truncated == -2);
    assert(checksum(bytes, 3) == 1 + 2 + 0xF0); //~ failure: assertion
    return 0;
}
