// stdlib.h and inttypes.h: texts to integers, and simple arithmetic. strtod is a function of the world.

#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return INT_MAX;
}

struct parsed {
    unsigned long long magnitude;
    int negative;
    int overflow;
};

// An integer in the base, or in that of its prefix. `*end` gets where it ends: the beginning if there is none.
static struct parsed parse(const char *text, char **end, int base) {
    struct parsed result = {0, 0, 0};
    const char *p = text;
    if (end != NULL) *end = (char *)text;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return result;
    }
    while (is_space(*p)) p++;
    if (*p == '+' || *p == '-') result.negative = *p++ == '-';
    int prefixed = p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit(p[2]) < 16;
    if (prefixed && (base == 0 || base == 16)) {
        base = 16;
        p += 2;
    } else if (base == 0) {
        base = *p == '0' ? 8 : 10;
    }
    const char *begin = p;
    for (; digit(*p) < base; p++) {
        unsigned long long d = (unsigned long long)digit(*p);
        if (result.magnitude > (ULLONG_MAX - d) / (unsigned long long)base) result.overflow = 1;
        else result.magnitude = result.magnitude * (unsigned long long)base + d;
    }
    if (p != begin && end != NULL) *end = (char *)p;
    return result;
}

static long long parse_signed(const char *text, char **end, int base) {
    struct parsed it = parse(text, end, base);
    unsigned long long most = (unsigned long long)LLONG_MAX + (it.negative ? 1 : 0);
    if (it.overflow || it.magnitude > most) {
        errno = ERANGE;
        return it.negative ? LLONG_MIN : LLONG_MAX;
    }
    return (long long)(it.negative ? 0 - it.magnitude : it.magnitude);
}

static unsigned long long parse_unsigned(const char *text, char **end, int base) {
    struct parsed it = parse(text, end, base);
    if (it.overflow) {
        errno = ERANGE;
        return ULLONG_MAX;
    }
    return it.negative ? 0 - it.magnitude : it.magnitude;
}

#define SIGNED(type, name) \
    type name(const char *restrict text, char **restrict end, int base) { return parse_signed(text, end, base); }
#define UNSIGNED(type, name) \
    type name(const char *restrict text, char **restrict end, int base) { return parse_unsigned(text, end, base); }

SIGNED(long, strtol)
SIGNED(long long, strtoll)
SIGNED(long long, strtoq)
SIGNED(intmax_t, strtoimax)
UNSIGNED(unsigned long, strtoul)
UNSIGNED(unsigned long long, strtoull)
UNSIGNED(unsigned long long, strtouq)
UNSIGNED(uintmax_t, strtoumax)

// What newer headers of glibc call instead.
SIGNED(long, __isoc23_strtol)
SIGNED(long long, __isoc23_strtoll)
SIGNED(intmax_t, __isoc23_strtoimax)
UNSIGNED(unsigned long, __isoc23_strtoul)
UNSIGNED(unsigned long long, __isoc23_strtoull)
UNSIGNED(uintmax_t, __isoc23_strtoumax)

int atoi(const char *text) { return (int)parse_signed(text, NULL, 10); }
long atol(const char *text) { return parse_signed(text, NULL, 10); }
long long atoll(const char *text) { return parse_signed(text, NULL, 10); }
double atof(const char *text) { return strtod(text, NULL); }

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }
intmax_t imaxabs(intmax_t n) { return n < 0 ? -n : n; }

div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }
imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return (imaxdiv_t){a / b, a % b}; }
