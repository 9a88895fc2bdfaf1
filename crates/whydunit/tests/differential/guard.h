// csmith calls builtins also where they are undefined, or where the processor has no instruction for them.

static int guarded_clz(unsigned x) { return x ? __builtin_clz(x) : 32; }
static int guarded_clzl(unsigned long x) { return x ? __builtin_clzl(x) : 64; }
static int guarded_clzll(unsigned long long x) { return x ? __builtin_clzll(x) : 64; }
static int guarded_ctz(unsigned x) { return x ? __builtin_ctz(x) : 32; }
static int guarded_ctzl(unsigned long x) { return x ? __builtin_ctzl(x) : 64; }
static int guarded_ctzll(unsigned long long x) { return x ? __builtin_ctzll(x) : 64; }

static unsigned guarded_crc32(unsigned sum, unsigned char byte) {
    sum ^= byte;
    for (int i = 0; i < 8; i++) sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78u : 0);
    return sum;
}

#define __builtin_clz guarded_clz
#define __builtin_clzl guarded_clzl
#define __builtin_clzll guarded_clzll
#define __builtin_ctz guarded_ctz
#define __builtin_ctzl guarded_ctzl
#define __builtin_ctzll guarded_ctzll
#define __builtin_ia32_crc32qi guarded_crc32
