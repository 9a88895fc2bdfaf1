// Compresses and decompresses blocks, fast and well.
#include <stdio.h>
#include <string.h>

#include "lz4.h"
#include "lz4hc.h"

static char text[20000], packed[30000], unpacked[20000];

static unsigned sum(const char *data, int size) {
    unsigned sum = 1;
    for (int i = 0; i < size; i++) sum = sum * 31 + (unsigned char)data[i];
    return sum;
}

static void round_trip(const char *name, int size) {
    unsigned check = sum(packed, size);
    int back = LZ4_decompress_safe(packed, unpacked, size, sizeof unpacked);
    int same = back == (int)sizeof text && memcmp(text, unpacked, sizeof text) == 0;
    printf("%s: %d bytes, sum %08x, %s\n", name, size, check, same ? "same" : "different");
}

int main(void) {
    unsigned state = 3;
    for (size_t i = 0; i < sizeof text; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = i > 300 && (state >> 28) != 0 ? text[i - 300 + (state >> 30)] : (char)(state >> 24);
    }
    round_trip("default", LZ4_compress_default(text, packed, sizeof text, sizeof packed));
    round_trip("fast 8", LZ4_compress_fast(text, packed, sizeof text, sizeof packed, 8));
    for (int level = 3; level <= 12; level += 3) {
        char name[20];
        snprintf(name, sizeof name, "level %d", level);
        round_trip(name, LZ4_compress_HC(text, packed, sizeof text, sizeof packed, level));
    }
    printf("too small: %d\n", LZ4_compress_default(text, packed, sizeof text, 100));
    packed[10] = (char)0xff;
    printf("damaged: %d\n", LZ4_decompress_safe(packed, unpacked, 50, sizeof unpacked) < 0);
    printf("%s\n", LZ4_versionString());
    return 0;
}
