// Language and library together: what csmith does not write.
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct small { char c; short s; };
struct mixed { double d; int i; };
struct large { long a[5]; char text[9]; };
union number { float f; unsigned u; unsigned char bytes[4]; };
struct flexible { int count; int items[]; };
typedef int (*operation)(int, int);

static struct small make_small(char c, short s) { return (struct small){c, s}; }
static struct mixed make_mixed(double d, int i) { struct mixed m = {.i = i, .d = d}; return m; }
static struct large twice(struct large l) {
    for (int i = 0; i < 5; i++) l.a[i] *= 2;
    l.text[0] = '*';
    return l;
}

static double sum(const char *kinds, ...) {
    va_list list, copy;
    double total = 0;
    va_start(list, kinds);
    va_copy(copy, list);
    for (; *kinds; kinds++) switch (*kinds) {
        case 'i': total += va_arg(list, int); break;
        case 'l': total += (double)va_arg(list, long); break;
        case 'd': total += va_arg(list, double); break;
        case 's': total += va_arg(list, struct small).s; break;
        case 'm': { struct mixed m = va_arg(list, struct mixed); total += m.d * m.i; break; }
        case 'L': total += (double)va_arg(list, struct large).a[4]; break;
        case 'p': total += *va_arg(list, int *); break;
        }
    va_end(list);
    total += va_arg(copy, int);
    va_end(copy);
    return total;
}

static int log_to(char *buffer, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(buffer, size, format, list);
    va_end(list);
    return n;
}

static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
static int fold(operation f, int n, const int v[static n]) {
    int r = v[0];
    for (int i = 1; i < n; i++) r = f(r, v[i]);
    return r;
}

static int old_style(a, b) int a; char b; { return a + b; }

static long trace_of(int n, long m[n][n]) {
    long t = 0;
    for (int i = 0; i < n; i++) t += m[i][i];
    return t;
}

static int machine(const char *code) {
    static void *const labels[] = {&&push, &&plus, &&times, &&stop};
    int stack[8], top = 0, at = 0;
#define NEXT goto *labels[code[at] == '+' ? 1 : code[at] == '*' ? 2 : code[at] == 0 ? 3 : 0]
    NEXT;
push: stack[top++] = code[at++] - '0'; NEXT;
plus: top--; stack[top - 1] += stack[top]; at++; NEXT;
times: top--; stack[top - 1] *= stack[top]; at++; NEXT;
stop: return stack[0];
}

static int by_length(const void *a, const void *b) {
    const char *const *x = a, *const *y = b;
    size_t m = strlen(*x), n = strlen(*y);
    return m != n ? (m > n) - (m < n) : strcmp(*x, *y);
}

int main(void) {
    struct small s = make_small('x', -3);
    struct mixed m = make_mixed(2.5, 4);
    struct large l = {{1, 2, 3, 4, 5}, "large"}, k = twice(l);
    int seven = 7;
    printf("%c %d %g %d %ld %s %s\n", s.c, s.s, m.d, m.i, k.a[4], k.text, l.text);
    printf("%g\n", sum("ildsmLp", 1, 2L, 0.5, s, m, k, &seven));

    union number u = {.f = 1.5f};
    printf("%08x %02x\n", u.u, u.bytes[3]);
    struct flexible *f = malloc(sizeof *f + 3 * sizeof(int));
    f->count = 3;
    for (int i = 0; i < f->count; i++) f->items[i] = i * i;
    printf("%d %zu\n", f->items[2], offsetof(struct flexible, items));
    free(f);

    int v[] = {[3] = 4, 1, [0] = 2, 3, 5};
    printf("%d %d %zu\n", fold(add, 5, v), fold(multiply, 3, (int[]){2, 3, 7}), sizeof v / sizeof *v);
    printf("%d %d\n", old_style(1, 'a'), machine("34+5*2+"));
    for (int n = 1; n < 4; n++) {
        long a[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = i * n + j;
        printf("%ld %zu ", trace_of(n, a), sizeof a);
    }
    putchar('\n');

    __int128 big = (__int128)INT64_MAX * 1000 + 7;
    unsigned __int128 wide = ~(unsigned __int128)0 / 10;
    printf("%" PRId64 " %" PRId64 " %" PRIu64 "\n", (int64_t)(big >> 40), (int64_t)(big % 1000003), (uint64_t)(wide >> 64));
    double complex z = 1 + 2 * I;
    z = z * z - 3;
    printf("%g %g %g\n", creal(z), cimag(z), cabs(3 + 4 * I));
    float complex w = (2 - 3 * I) / (1 + 1.5f * I);
    volatile double infinite = INFINITY;
    printf("%g %g %g %g\n", crealf(w), cimagf(w), cimag(conj(z) / (2 * I)), carg(-1 + 0 * I));
    printf("%g %g %g\n", creal(csqrt(-4)), cimag(csqrt(-4)), creal((infinite + NAN * I) * (1 + I)));
    bool truth = 0.25;
    printf("%d %d %d\n", truth, (_Bool)"", !!NULL);
    printf("%d %s %s\n", _Generic(1.0f, float: 1, double: 2, default: 3), __func__, _Generic(&m, struct mixed *: "mixed", default: "?"));
    printf("%d\n", ({ int t = 3; t * t; }));
    int overflowed, r = __builtin_add_overflow(INT_MAX, 1, &overflowed);
    printf("%d %d %d\n", r, overflowed, __builtin_popcount(255));

    char buffer[40];
    printf("%d ", log_to(buffer, 8, "%s-%05.1f", "abc", 3.14159));
    printf("[%s] [%-6s|%6s|%.2s] [%+d % d %#x %#o %e %G %a] %%\n", buffer, "ab", "cd", "efg", 5, 5, 255, 8, 12345.678, 1e-10, 1.0);
    printf("[%*d|%-*d|%.*f] %hhd %hu %lld %zu %td %jd %p %c\n", 5, 42, 5, 42, 2, 2.0 / 3, 300, 70000, -1LL, (size_t)9, &v[3] - v, (intmax_t)-5, (void *)0, 'z');
    int a, b; char word[10]; float x; double y; long n;
    printf("%d ", sscanf("12 0x1f hello 3.5 -2e3 77", "%d %i %9s %f %lf %ln", &a, &b, word, &x, &y, &n));
    printf("%d %d %s %g %g %ld\n", a, b, word, x, y, n);
    printf("%d %d\n", sscanf("key=val;", "%[a-z]=%[^;]%c", buffer, word, buffer + 20), sscanf("x", "%d", &a));

    const char *names[] = {"pear", "fig", "banana", "kiwi", "apple"};
    qsort(names, 5, sizeof *names, by_length);
    for (int i = 0; i < 5; i++) printf("%s ", names[i]);
    const char *key = "kiwi";
    const char **found = bsearch(&key, names, 5, sizeof *names, by_length);
    printf("%td\n", found ? found - names : -1);

    char text[] = "one, two;three";
    for (char *t = strtok(text, ",; "); t; t = strtok(NULL, ",; ")) printf("<%s>", t);
    printf(" %s %zu %zu %s\n", strstr("haystack", "st"), strspn("aab", "a"), strcspn("abc", "c"), strrchr("a/b/c", '/'));
    errno = 0;
    char *end;
    long huge = strtol("99999999999999999999", &end, 10);
    printf("%d %d %s %g %lu\n", huge == LONG_MAX, errno == ERANGE, strtoul("12z", &end, 0) == 12 ? end : "?", strtod("1e400", NULL), strtoul("-1", NULL, 16));
    printf("%s | %d %d %c\n", strerror(ENOENT), isalpha('x') != 0, isspace('x'), toupper('q'));
    printf("%.10g %.10g %.10g %g %g\n", sin(1), pow(2, 0.5), atan2(1, -1), fmod(7.5, -2), round(-2.5));
    printf("%d %d %g %g\n", isnan(NAN), isinf(-INFINITY), hypot(3, 4), ldexp(0.75, 4));
    struct tm *tm = gmtime(&(time_t){86400 * 365});
    strftime(buffer, sizeof buffer, "%Y-%m-%d %H:%M %a %j", tm);
    printf("%s %ld\n", buffer, (long)mktime(tm));
    div_t d = div(-17, 5);
    printf("%d %d %ld %d\n", d.quot, d.rem, labs(-4L), abs(-3));
    memmove(buffer + 2, buffer, 10);
    printf("%.12s %d %d\n", buffer, memcmp("ab", "ac", 2) < 0, memchr("abc", 'c', 3) != NULL);
    volatile unsigned shift = 3;
    printf("%u %d %d\n", 1u << shift, -17 >> 2, (signed char)200);
    static int calls;
again:
    if (calls++ < 2) goto again;
    return calls;
}
