// The sorting and searching of stdlib.h and search.h.

#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

typedef int compare_with(const void *, const void *, void *);

struct sort {
    size_t size;
    compare_with *compare;
    void *context;
    char *space;
};

// A merge sort that compares the same elements in the same order as glibc's: the user's function can tell. Whole
// elements are copied, because some of their bytes may never have been written.
static void sort(const struct sort *how, char *base, size_t count) {
    if (count <= 1) return;
    size_t size = how->size, left = count / 2, right = count - left;
    char *a = base, *b = base + left * size, *out = how->space;
    sort(how, a, left);
    sort(how, b, right);
    while (left > 0 && right > 0) {
        if (how->compare(a, b, how->context) <= 0) {
            __builtin_memcpy(out, a, size);
            a += size;
            left--;
        } else {
            __builtin_memcpy(out, b, size);
            b += size;
            right--;
        }
        out += size;
    }
    if (left > 0) __builtin_memcpy(out, a, left * size);
    __builtin_memcpy(base, how->space, (count - right) * size);
}

// Without space for a merge: slower, in place.
static void sort_in_place(const struct sort *how, char *base, size_t count) {
    char element[how->size];
    for (size_t i = 1; i < count; i++) {
        size_t j = i;
        __builtin_memcpy(element, base + i * how->size, how->size);
        while (j > 0 && how->compare(base + (j - 1) * how->size, element, how->context) > 0) j--;
        char *place = base + j * how->size;
        __builtin_memmove(place + how->size, place, (i - j) * how->size);
        __builtin_memcpy(place, element, how->size);
    }
}

static void sort_any(void *base, size_t count, size_t size, compare_with *compare, void *context) {
    if (count <= 1 || size == 0) return;
    struct sort how = {size, compare, context, malloc(count * size)};
    if (how.space != NULL) sort(&how, base, count);
    else sort_in_place(&how, base, count);
    free(how.space);
}

static int without_context(const void *a, const void *b, void *compare) {
    return (*(int (**)(const void *, const void *))compare)(a, b);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    sort_any(base, count, size, without_context, &compare);
}

void qsort_r(void *base, size_t count, size_t size, compare_with *compare, void *context) {
    sort_any(base, count, size, compare, context);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) return (void *)element;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return NULL;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size,
            int (*compare)(const void *, const void *)) {
    for (size_t i = 0; i < *count; i++) {
        const char *element = (const char *)base + i * size;
        if (compare(key, element) == 0) return (void *)element;
    }
    return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size,
              int (*compare)(const void *, const void *)) {
    for (size_t i = 0; i < *count; i++) {
        char *element = (char *)base + i * size;
        if (compare(key, element) == 0) return element;
    }
    return __builtin_memcpy((char *)base + (*count)++ * size, key, size);
}
