// What the compiler and the headers make of calls whose buffers they are told to check. The interpreter checks all of
// them, so the sizes that are passed do not matter.

#include <stddef.h>

void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) {
    (void)size;
    return __builtin_memcpy(to, from, n);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) {
    (void)size;
    return (char *)__builtin_memcpy(to, from, n) + n;
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size) {
    (void)size;
    return __builtin_memmove(to, from, n);
}

void *__memset_chk(void *to, int c, size_t n, size_t size) {
    (void)size;
    return __builtin_memset(to, c, n);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
    (void)size;
    while ((*to = *from) != '\0') to++, from++;
    return to;
}

char *__strcpy_chk(char *to, const char *from, size_t size) {
    __stpcpy_chk(to, from, size);
    return to;
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
    (void)size;
    size_t i = 0;
    for (; i < n && from[i] != '\0'; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = '\0';
    return to;
}

char *__strcat_chk(char *to, const char *from, size_t size) {
    char *end = to;
    while (*end != '\0') end++;
    __stpcpy_chk(end, from, size);
    return to;
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
    (void)size;
    char *end = to;
    while (*end != '\0') end++;
    for (; n > 0 && *from != '\0'; n--) *end++ = *from++;
    *end = '\0';
    return to;
}
