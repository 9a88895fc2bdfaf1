// Writes a record with snprintf and reads it back with sscanf; the hundredths are not padded.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static void write_price(char *out, size_t size, const char *name, int cents)
{
    snprintf(out, size, "%s=%d.%d", name, cents / 100, cents % 100); //~ fault
}

static int read_price(const char *text, char *name)
{
    int whole = 0;
    char tens = '0', ones = '0';

    if (sscanf(text, "%7[a-z]=%d.%c%c", name, &whole, &tens, &ones) < 3)
        return -1;
    return whole * 100 + (tens - '0') * 10 + (ones - '0');
}

int main(void)
{
    char line[32], name[8], small[4];

    assert(snprintf(small, sizeof small, "%x", 0xBEEF5) == 5 && strcmp(small, "bee") == 0);
    write_price(line, sizeof line, "tea", 250);
    assert(strncmp(line, "tea=2.5", 7) == 0);
    assert(read_price(line, name) == 250 && strcmp(name, "tea") == 0);
    write_price(line, sizeof line, "milk", 109);
    assert(read_price(line, name) == 109); //~ failure: assertion
    return 0;
}
