// Open addressing. The probe for a free slot does not wrap around at the end.
#include <stdio.h>
#include <string.h>

#define SLOTS 8

static const char *keys[SLOTS];
static int counts[SLOTS];

static unsigned hash(const char *key)
{
    unsigned h = 0;

    while (*key)
        h = h * 31 + (unsigned char)*key++;
    return h % SLOTS;
}

static int slot_of(const char *key)
{
    int slot = (int)hash(key);

    while (keys[slot] && strcmp(keys[slot], key) != 0) //~ failure: out-of-bounds
        slot = slot + 1; //~ fault
    return slot;
}

static void add(const char *key)
{
    int slot = slot_of(key);

    keys[slot] = key;
    counts[slot]++;
}

int main(void)
{
    static const char *const words[] = { "g", "o", "a", "g", "w", "o" };

    for (int i = 0; i < 6; i++)
        add(words[i]);
    printf("%d\n", counts[slot_of("o")]);
    return 0;
}
