// string.h and strings.h.
//
// Plain loops: they are traced like the user's code, so what they compute is known symbolically. Only copies of
// memory are left to the compiler, because a copy must also preserve bytes that were never written. Functions
// of this library do not call each other by their public names: the user may have defined one of these himself.

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef unsigned char byte;

static size_t length(const char *s) {
    size_t n = 0;
    while (s[n] != '\0') n++;
    return n;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

static int contains(const char *set, char c) {
    for (; *set != '\0'; set++)
        if (*set == c) return 1;
    return 0;
}

// Memory.

void *memcpy(void *restrict to, const void *restrict from, size_t n) { return __builtin_memcpy(to, from, n); }

void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }

void *memset(void *to, int c, size_t n) { return __builtin_memset(to, c, n); }

void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
    __builtin_memcpy(to, from, n);
    return (char *)to + n;
}

void bcopy(const void *from, void *to, size_t n) { __builtin_memmove(to, from, n); }

void bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }

void explicit_bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }

static int compare(const void *a, const void *b, size_t n) {
    const byte *p = a, *q = b;
    for (size_t i = 0; i < n; i++)
        if (p[i] != q[i]) return p[i] - q[i];
    return 0;
}

int memcmp(const void *a, const void *b, size_t n) { return compare(a, b, n); }

int bcmp(const void *a, const void *b, size_t n) { return compare(a, b, n); }

void *memchr(const void *s, int c, size_t n) {
    const byte *p = s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (byte)c) return (void *)(p + i);
    return NULL;
}

void *rawmemchr(const void *s, int c) {
    const byte *p = s;
    while (*p != (byte)c) p++;
    return (void *)p;
}

void *memrchr(const void *s, int c, size_t n) {
    const byte *p = s;
    while (n > 0)
        if (p[--n] == (byte)c) return (void *)(p + n);
    return NULL;
}

void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
    byte *p = to;
    const byte *q = from;
    for (size_t i = 0; i < n; i++) {
        p[i] = q[i];
        if (q[i] == (byte)c) return p + i + 1;
    }
    return NULL;
}

void *memmem(const void *text, size_t n, const void *part, size_t m) {
    const byte *p = text;
    if (m > n) return NULL;
    for (size_t i = 0; i + m <= n; i++)
        if (compare(p + i, part, m) == 0) return (void *)(p + i);
    return NULL;
}

void swab(const void *restrict from, void *restrict to, ptrdiff_t n) {
    const byte *p = from;
    byte *q = to;
    for (ptrdiff_t i = 0; i + 1 < n; i += 2) {
        byte first = p[i];
        q[i] = p[i + 1];
        q[i + 1] = first;
    }
}

// Length and copies.

size_t strlen(const char *s) { return length(s); }

size_t strnlen(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n] != '\0') n++;
    return n;
}

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from) != '\0') to++, from++;
    return to;
}

char *strcpy(char *restrict to, const char *restrict from) {
    char *p = to;
    while ((*p = *from) != '\0') p++, from++;
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i] != '\0'; i++) to[i] = from[i];
    char *end = to + i;
    for (; i < n; i++) to[i] = '\0';
    return end;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i] != '\0'; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = '\0';
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    char *p = to + length(to);
    while ((*p = *from) != '\0') p++, from++;
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n) {
    char *p = to + length(to);
    size_t i = 0;
    for (; i < n && from[i] != '\0'; i++) p[i] = from[i];
    p[i] = '\0';
    return to;
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
    size_t i = 0;
    for (; i + 1 < size && from[i] != '\0'; i++) to[i] = from[i];
    if (size > 0) to[i] = '\0';
    return length(from);
}

size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
    size_t begin = 0;
    while (begin < size && to[begin] != '\0') begin++;
    size_t i = 0;
    for (; begin + i + 1 < size && from[i] != '\0'; i++) to[begin + i] = from[i];
    if (begin < size) to[begin + i] = '\0';
    return begin + length(from);
}

static char *duplicate(const char *s, size_t n) {
    char *copy = malloc(n + 1);
    if (copy == NULL) return NULL;
    for (size_t i = 0; i < n; i++) copy[i] = s[i];
    copy[n] = '\0';
    return copy;
}

char *strdup(const char *s) { return duplicate(s, length(s)); }

char *strndup(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n] != '\0') n++;
    return duplicate(s, n);
}

char *__strdup(const char *s) { return duplicate(s, length(s)); }

// Comparison. The results are differences of bytes, as those of glibc are.

static int compare_strings(const char *a, const char *b) {
    while (*a != '\0' && *a == *b) a++, b++;
    return (byte)*a - (byte)*b;
}

int strcmp(const char *a, const char *b) { return compare_strings(a, b); }

int strcoll(const char *a, const char *b) { return compare_strings(a, b); }

int strncmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || a[i] == '\0') return (byte)a[i] - (byte)b[i];
    return 0;
}

int strcasecmp(const char *a, const char *b) {
    while (*a != '\0' && lower((byte)*a) == lower((byte)*b)) a++, b++;
    return lower((byte)*a) - lower((byte)*b);
}

int strncasecmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int difference = lower((byte)a[i]) - lower((byte)b[i]);
        if (difference != 0 || a[i] == '\0') return difference;
    }
    return 0;
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t n) {
    size_t i = 0;
    for (; from[i] != '\0'; i++)
        if (i < n) to[i] = from[i];
    if (i < n) to[i] = '\0';
    return i;
}

// Search.

static char *find(const char *s, char c) {
    for (;; s++) {
        if (*s == c) return (char *)s;
        if (*s == '\0') return NULL;
    }
}

static char *find_last(const char *s, char c) {
    const char *found = NULL;
    for (;; s++) {
        if (*s == c) found = s;
        if (*s == '\0') return (char *)found;
    }
}

char *strchr(const char *s, int c) { return find(s, (char)c); }

char *index(const char *s, int c) { return find(s, (char)c); }

char *strrchr(const char *s, int c) { return find_last(s, (char)c); }

char *rindex(const char *s, int c) { return find_last(s, (char)c); }

char *strchrnul(const char *s, int c) {
    while (*s != '\0' && *s != (char)c) s++;
    return (char *)s;
}

static size_t span(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] != '\0' && contains(set, s[n])) n++;
    return n;
}

static size_t span_without(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] != '\0' && !contains(set, s[n])) n++;
    return n;
}

size_t strspn(const char *s, const char *set) { return span(s, set); }

size_t strcspn(const char *s, const char *set) { return span_without(s, set); }

char *strpbrk(const char *s, const char *set) {
    s += span_without(s, set);
    return *s != '\0' ? (char *)s : NULL;
}

char *strstr(const char *text, const char *part) {
    for (;; text++) {
        size_t i = 0;
        while (part[i] != '\0' && text[i] == part[i]) i++;
        if (part[i] == '\0') return (char *)text;
        if (*text == '\0') return NULL;
    }
}

char *strcasestr(const char *text, const char *part) {
    for (;; text++) {
        size_t i = 0;
        while (part[i] != '\0' && lower((byte)text[i]) == lower((byte)part[i])) i++;
        if (part[i] == '\0') return (char *)text;
        if (*text == '\0') return NULL;
    }
}

static char *token(char *s, const char *separators, char **rest) {
    if (s == NULL) s = *rest;
    if (s == NULL) return NULL;
    s += span(s, separators);
    if (*s == '\0') {
        *rest = s;
        return NULL;
    }
    char *end = s + span_without(s, separators);
    if (*end != '\0') *end++ = '\0';
    *rest = end;
    return s;
}

char *strtok_r(char *restrict s, const char *restrict separators, char **restrict rest) {
    return token(s, separators, rest);
}

char *__strtok_r(char *restrict s, const char *restrict separators, char **restrict rest) {
    return token(s, separators, rest);
}

char *strtok(char *restrict s, const char *restrict separators) {
    static char *rest;
    return token(s, separators, &rest);
}

char *strsep(char **restrict rest, const char *restrict separators) {
    char *s = *rest;
    if (s == NULL) return NULL;
    char *end = s + span_without(s, separators);
    *rest = *end != '\0' ? end + 1 : NULL;
    *end = '\0';
    return s;
}

// The name of a file without its folders, as the GNU variant has it.
char *basename(const char *path) {
    char *slash = find_last(path, '/');
    return slash != NULL ? slash + 1 : (char *)path;
}

// Bits.

static int first_bit(unsigned long long bits) {
    if (bits == 0) return 0;
    int n = 1;
    for (; (bits & 1) == 0; bits >>= 1) n++;
    return n;
}

int ffs(int i) { return first_bit((unsigned)i); }

int ffsl(long i) { return first_bit((unsigned long)i); }

int ffsll(long long i) { return first_bit((unsigned long long)i); }
