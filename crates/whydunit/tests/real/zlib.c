// Compresses and decompresses: at once, in pieces, at all levels.
#include <stdio.h>
#include <string.h>

#include "zlib.h"

static unsigned char text[6000], packed[8000], unpacked[6000];

static void fill(void) {
    static const char *words[] = {"why", "who", "done", "it", "\n", "a fault", "localizer", "C"};
    unsigned state = 7;
    size_t n = 0;
    while (n + 16 < sizeof text) {
        state = state * 1664525u + 1013904223u;
        n += (size_t)sprintf((char *)text + n, "%s ", words[state >> 29]);
    }
    for (; n < sizeof text; n++) text[n] = (unsigned char)(n * n >> 3);
}

static int in_pieces(int level, int strategy, int bits) {
    z_stream s;
    memset(&s, 0, sizeof s);
    if (deflateInit2(&s, level, Z_DEFLATED, bits, 8, strategy) != Z_OK) return 1;
    s.next_in = text;
    s.next_out = packed;
    s.avail_out = sizeof packed;
    for (size_t at = 0; at < sizeof text; at += 1000) {
        s.avail_in = 1000;
        if (deflate(&s, at + 1000 < sizeof text ? Z_SYNC_FLUSH : Z_FINISH) < 0) return 2;
    }
    size_t size = s.total_out;
    if (deflateEnd(&s) != Z_OK) return 3;
    memset(&s, 0, sizeof s);
    if (inflateInit2(&s, bits) != Z_OK) return 4;
    s.next_in = packed;
    s.avail_in = (unsigned)size;
    s.next_out = unpacked;
    int status;
    do {
        s.avail_out = 700;
        if (s.total_out + 700 > sizeof unpacked) s.avail_out = (unsigned)(sizeof unpacked - s.total_out);
        status = inflate(&s, Z_NO_FLUSH);
    } while (status == Z_OK);
    printf("level %d, strategy %d, window %d: %zu bytes, %s\n", level, strategy, bits, size,
           status == Z_STREAM_END && memcmp(text, unpacked, sizeof text) == 0 ? "same" : "different");
    return inflateEnd(&s);
}

int main(void) {
    fill();
    printf("%s: crc %08lx, adler %08lx\n", zlibVersion(), crc32(0, text, sizeof text), adler32(1, text, sizeof text));
    for (int level = 0; level <= 9; level += 3) {
        uLongf size = sizeof packed, back = sizeof unpacked;
        int packs = compress2(packed, &size, text, sizeof text, level);
        unsigned long sum = crc32(0, packed, (unsigned)size);
        memset(unpacked, 0, sizeof unpacked);
        int unpacks = uncompress(unpacked, &back, packed, size);
        printf("level %d: %d %d, %lu bytes, crc %08lx, %s\n", level, packs, unpacks, size, sum,
               back == sizeof text && memcmp(text, unpacked, back) == 0 ? "same" : "different");
    }
    packed[20] ^= 1;
    uLongf back = sizeof unpacked;
    printf("damaged: %d\n", uncompress(unpacked, &back, packed, sizeof packed));
    if (in_pieces(6, Z_DEFAULT_STRATEGY, 15) || in_pieces(9, Z_FILTERED, -15)) return 1;
    if (in_pieces(1, Z_HUFFMAN_ONLY, 31) || in_pieces(4, Z_FIXED, 9)) return 1;
    return 0;
}
