// The random numbers of stdlib.h: the same sequences as those of glibc.

#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>

// An additive generator: each number is the sum of those 3 and 31 before it.
enum { DEGREE = 31, SEPARATION = 3, WARM_UP = 310 };

static struct {
    int seeded;
    int next;
    uint32_t numbers[DEGREE];
} state;

static uint32_t advance(void) {
    int other = (state.next + DEGREE - SEPARATION) % DEGREE;
    state.numbers[state.next] += state.numbers[other];
    uint32_t result = state.numbers[state.next] >> 1;
    state.next = (state.next + 1) % DEGREE;
    return result;
}

static void seed(unsigned start) {
    int32_t word = start == 0 ? 1 : (int32_t)start;
    state.seeded = 1;
    state.numbers[0] = (uint32_t)word;
    for (int i = 1; i < DEGREE; i++) {
        // word * 16807 % (2^31 - 1), without leaving 32 bits.
        int32_t high = word / 127773, low = word % 127773;
        word = 16807 * low - 2836 * high;
        if (word < 0) word += 2147483647;
        state.numbers[i] = (uint32_t)word;
    }
    state.next = SEPARATION;
    for (int i = 0; i < WARM_UP; i++) advance();
}

static uint32_t next_number(void) {
    if (!state.seeded) seed(1);
    return advance();
}

void srand(unsigned start) { seed(start); }
void srandom(unsigned start) { seed(start); }
int rand(void) { return (int)next_number(); }
long random(void) { return next_number(); }

int rand_r(unsigned *start) {
    unsigned word = *start, result = 0;
    int widths[] = {11, 10, 10};
    for (int i = 0; i < 3; i++) {
        word = word * 1103515245 + 12345;
        result = result << (i == 0 ? 0 : widths[i]) ^ (word >> 16 & ((1u << widths[i]) - 1));
    }
    *start = word;
    return (int)result;
}

// The family of drand48: 48 bits, linear congruential.
enum { INCREMENT = 0xb };
static const uint64_t FACTOR = 0x5deece66dULL, MASK = 0xffffffffffffULL;
static uint64_t word48;

static uint64_t advance48(void) { return word48 = word48 * FACTOR + INCREMENT & MASK; }

static uint64_t advance_given(unsigned short words[3]) {
    uint64_t word = (uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0];
    word = word * FACTOR + INCREMENT & MASK;
    words[0] = (unsigned short)word;
    words[1] = (unsigned short)(word >> 16);
    words[2] = (unsigned short)(word >> 32);
    return word;
}

static double fraction(uint64_t word) { return (double)word / 281474976710656.0; }

void srand48(long start) { word48 = (uint64_t)(uint32_t)start << 16 | 0x330e; }
double drand48(void) { return fraction(advance48()); }
long lrand48(void) { return (long)(advance48() >> 17); }
long mrand48(void) { return (int32_t)(advance48() >> 16); }
double erand48(unsigned short words[3]) { return fraction(advance_given(words)); }
long nrand48(unsigned short words[3]) { return (long)(advance_given(words) >> 17); }
long jrand48(unsigned short words[3]) { return (int32_t)(advance_given(words) >> 16); }
