//! Small programs, each for a feature of the language.

use program::FailureKind;

/// Flags for clang, and a program whose exit status tells whether it was understood.
pub(super) const SNIPPETS: &[(&str, &str)] = &[
    ("", "int main(void) { unsigned char c = 250; c += 10; short s = (short)70000; return c + s % 7; }"),
    ("", "int main(void) { long long x = 1LL << 40; x >>= 37; unsigned u = 3u - 5u; return (int)x + (u > 7); }"),
    ("", "int main(void) { __int128 x = 1; x <<= 100; x += 77; x %= 1000; return (int)x & 255; }"),
    ("", "int main(void) { int s = -17; return (s / 5) + (s % 5) + (s >> 2) + 100; }"),
    ("", "#include <stdbool.h>
          static bool flip(bool b) { return !b; }
          int main(void) { bool a = 5; _Bool b = flip(a); a = 0.5; return a * 2 + b + flip(b) * 8; }"),
    ("", "struct b { signed a : 5; unsigned b : 7; unsigned long c : 40; int : 0; int d : 3; };
          int main(void) { struct b x = { -3, 100, 1, 2 }; x.a--; x.b += 50; x.c = ~0ul; x.d = 5;
          return x.a + x.b + (x.c == (1ul << 40) - 1) + x.d + 20; }"),
    ("", "struct w { unsigned long a : 60, b : 60, c : 60; } __attribute__((packed));
          struct w g = { 1, 2, 3 };
          int main(void) { g.c += 5; g.a = ~0ul; return (int)(g.b * 10 + g.c + (g.a >> 58)); }"),
    ("", "enum e { A, B = 10, C }; int main(void) { enum e x = C; return x + A + (x == B); }"),
    ("", "int main(void) { double d = 0.1, e = 3; float f = 2.5f; d = d * 3 + e / 7; f *= (float)d;
          return (int)(d * 100) + (int)f + (d != d) + (f < d) + (unsigned char)f + (d >= 0.7); }"),
    ("", "#include <math.h>
          int main(void) { double x = 2.5; return (int)(sqrt(16.0) + floor(x) + ceil(x) + fabs(-x) * 2
          + round(x) + trunc(-x) + fmod(7.5, 2) * 2 + copysign(3, -1) + fmax(x, 1) + rint(x)) + !!isnan(x) + !!isinf(x) + !!signbit(-x); }"),
    ("", "int a[3][4] = { { 1, 2 }, { [3] = 9 }, 7 };
          int main(void) { int s = 0, *p = &a[0][0]; for (int i = 0; i < 12; i++) s = s * 2 + p[i] % 5; int (*q)[4] = a + 1;
          return (s + (*q)[3] + (int)(q - a) + (int)sizeof a) & 255; }"),
    ("", "struct s { int a; char b[3]; struct { double d; short *p; } in; };
          int main(void) { short v = 6; struct s x = { 1, \"ab\", { 2.5, &v } }, y; y = x; y.in.p[0]++; struct s *z = &y;
          return z->a + z->b[1] + (int)(z->in.d * 2) + *x.in.p; }"),
    ("", "struct small { int a; float b; }; struct mid { long a; double b; }; struct big { int a[10]; };
          struct floats { float x, y; }; struct three { float x, y, z; };
          struct small f(struct small s) { s.a++; s.b *= 2; return s; }
          struct mid g(struct mid m) { m.a += 3; m.b += 1; return m; }
          struct big h(struct big b) { b.a[3] += 4; return b; }
          struct floats i(struct floats v) { v.y += v.x; return v; }
          struct three j(struct three v) { v.z += v.x; return v; }
          int main(void) { struct small s = { 1, 2 }; struct mid m = { 3, 4 }; struct big b = { { 1, 2, 3, 4 } };
          struct floats v = { 1, 2 }; struct three t = { 1, 2, 3 };
          struct big c = h(b); return f(s).a + (int)f(s).b + g(m).a + (int)g(m).b + c.a[3] * 2 + b.a[3] + (int)i(v).y + (int)j(t).z; }"),
    ("", "union u { int i; float f; unsigned char b[4]; };
          int main(void) { union u x; x.f = 1.0f; return x.b[3] + x.b[2] + (x.i >> 24); }"),
    ("", "static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
          int (*table[])(int, int) = { add, sub };
          int apply(int (*f)(int, int), int a) { return f(a, 3); }
          int main(void) { int (*f)(int, int) = table[1]; return apply(f, 10) * 10 + apply(add, 1) + (f == sub) + (f != 0); }"),
    ("", "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int odd(int); int even(int n) { return n == 0 || odd(n - 1); }
          int odd(int n) { return n && even(n - 1); } int main(void) { return fib(10) + even(10) + odd(4); }"),
    ("", "#include <stdarg.h>
          struct p { long a, b, c; }; struct q { int x, y; };
          static double sum(int n, ...) { va_list ap, copy; va_start(ap, n); double s = 0; va_copy(copy, ap);
          s += va_arg(ap, int); s += va_arg(ap, double); s += va_arg(ap, long); struct p v = va_arg(ap, struct p); s += v.a + v.b + v.c;
          struct q w = va_arg(ap, struct q); s += w.x * w.y; s += *va_arg(ap, char *); s += va_arg(copy, int); va_end(copy); va_end(ap); return s; }
          int main(void) { struct p v = { 1, 2, 3 }; struct q w = { 4, 5 }; double (*f)(int, ...) = sum;
          int r = 0; for (int i = 0; i < 3; i++) r += (int)sum(6, 7, 2.5, 9L, v, w, \"A\") + (int)f(6, 1, 1.0, 1L, v, w, \" \"); return r & 255; }"),
    ("", "#include <stdio.h>\nint main(void) { int (*f)(const char *, ...) = printf; int n = printf(\"%d\\n\", 1234); f(\"%d\", 5); return 3; }"),
    ("", "int main(void) { int i = 0, s = 0; again: s += i; if (++i < 5) goto again; do s++; while (s % 7);
          for (;;) { if (s > 40) break; if (s++ & 1) continue; s += 3; } return s; }"),
    ("", "int f(int x) { switch (x) { case 1: return 10; case 2: case 3: x += 5; case 4: x *= 2; break; case -5: x = 9; break; default: x = 77; } return x; }
          int main(void) { return f(1) + f(2) + f(3) + f(4) + f(-5) + f(100); }"),
    ("", "int f(unsigned char c) { switch (c) { case 'a' ... 'z': return 1; case '0' ... '9': return 2; } return 3; }
          int main(void) { return f('q') + f('7') * 4 + f('!') * 16; }"),
    ("", "int main(void) { static void *jumps[] = { &&one, &&two, &&end }; int s = 0, i = 0; goto *jumps[0];
          one: s += 5; i = 1; goto *jumps[i]; two: s *= 3; i++; goto *jumps[i]; end: return s; }"),
    ("", "volatile int v = 4; int main(void) { v++; v += v; volatile short w = v; return w + v; }"),
    ("", "int next(void) { static int n = 5; static int m; m += n; return n++ + m; } int main(void) { next(); next(); return next(); }"),
    ("", "int x = 3; int *p = &x; int **pp = &p; char *s = \"hello\"; const char t[] = \"abc\"; int n[] = { 1, 2, 3 }, *e = n + 2;
          struct { int *q; char *s[2]; } r = { n + 1, { \"xy\", t + 1 } };
          int main(void) { **pp += 2; return x + s[1] + t[2] - s[0] + *e + *r.q + r.s[0][1] + r.s[1][0] - 300 + (int)sizeof t; }"),
    ("", "int f(int n) { int a[n], s = 0; for (int i = 0; i < n; i++) a[i] = i * i; { int b[n * 2]; b[n] = 5; s = b[n]; }
          for (int i = 0; i < n; i++) s += a[i]; return s + (int)sizeof a; } int main(void) { int s = 0; for (int i = 1; i < 6; i++) s += f(i); return s & 255; }"),
    ("", "struct p { int x, y; }; int f(struct p *p, int *q) { return p->x * q[2] + p->y; }
          int main(void) { return f(&(struct p){ 3, 4 }, (int[]){ 5, 6, 7 }); }"),
    ("", "#include <string.h>\nint main(void) { char a[8], b[8]; memset(a, 3, sizeof a); memcpy(b, a, 8); memmove(b + 1, b, 4); b[0] = 1; int s = 0; for (int i = 0; i < 8; i++) s += b[i]; return s; }"),
    ("", "int main(void) { int r; unsigned u; long l; int n = 0;
          n += __builtin_sadd_overflow(2147483647, 1, &r); n += __builtin_smul_overflow(1000, 1000, &r) * 2; n += (r == 1000000) * 4;
          n += __builtin_usub_overflow(1u, 2u, &u) * 8; n += __builtin_uadd_overflow(~0u, 1u, &u) * 16; n += __builtin_ssubl_overflow(5, 7, &l) * 32; n += (l == -2) * 64; return n; }"),
    ("", "int main(void) { unsigned x = 0x00f01200; unsigned long y = 0x8000000000000001ul; return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctz(x)
          + __builtin_bswap32(x) % 100 + __builtin_popcountl(y) + __builtin_abs(-5) + __builtin_ffs(8) + __builtin_parity(7) + __builtin_bswap16(0x1234) % 50 + (int)(__builtin_rotateleft32(x, 12) % 10); }"),
    ("-std=gnu89", "f(a, b, c) int a; char b; float c; { return a + b + (int)c; }
          g(); main() { auto x = 3; g(4, 5); return f(x, 'a', 2.5) + h(1) + g(1, 2); }
          h(n) { return n + 1; } g(a, b) { return a * b; }"),
    ("-std=gnu89", "int (*p)(); int k(a, b) long b; int a; { return a + (int)b; } int main() { p = k; return p(3, 4L) + (*p)(1, 2L); }"),
    ("", "int g1 = 1; int bump(void) { return ++g1; } int main(void) { int a = g1 + bump(); int b = g1++ + g1++; int c = bump() * 10 + g1; return a + b * 3 + c; }"),
    ("", "int f(int a, int b, int c) { return a * 100 + b * 10 + c; } int main(void) { int x = 1; int y = f(x, x > 0 ? x + 1 : 9, (x++, x)); return (y + (x ? x : 3) + (x && y) + (!x || y)) & 255; }"),
    ("", "int main(void) { int a = 5, b = 3; a ^= b; b ^= a; a ^= b; int c = (a += 2, b -= 1, a * b); int m = a > b ? a : b; return c + m + (a < b ? 1 : a == b ? 2 : 3); }"),
    ("", "#include <stdlib.h>\nstruct n { int v; struct n *next; }; int main(void) { struct n *l = 0; for (int i = 0; i < 5; i++) { struct n *x = malloc(sizeof *x); x->v = i; x->next = l; l = x; }
          int s = 0; while (l) { struct n *x = l->next; s = s * 3 + l->v; free(l); l = x; } return s & 255; }"),
    ("", "#include <stdlib.h>\nint depth(int n) { if (n == 0) exit(42); return depth(n - 1) + 1; } int main(void) { return depth(20); }"),
    ("", "int main(int argc, char **argv) { return argc * 10 + (argv[1][0] == 'a') + (argv[argc] == 0); }"),
    ("", "#include <stdint.h>\nint main(void) { int a[5]; uintptr_t p = (uintptr_t)&a[1], q = (uintptr_t)(a + 4); char *c = (char *)a; a[2] = 0x04030201; int *r = (int *)(p + 4);
          return (int)(q - p) + c[9] + (r == a + 2) + (a < r) + *(short *)(c + 10); }"),
    ("", "#include <stdatomic.h>\nint main(void) { atomic_int x = 5; atomic_fetch_add(&x, 3); int old = atomic_exchange(&x, 20), e = 20; int ok = atomic_compare_exchange_strong(&x, &e, 7);
          _Atomic long y = 1; int z = 9; y |= 6; y ^= 2; return old + ok + e + x + (int)y + __sync_fetch_and_sub(&z, 2) + __atomic_load_n(&z, 5); }"),
    ("", "typedef int v4 __attribute__((vector_size(16))); struct s { v4 v; }; v4 id(v4 x) { return x; }
          int main(void) { v4 a = { 1, 2, 3, 4 }; union { v4 v; int i[4]; } u; u.v = id(a); return u.i[0] + u.i[3]; }"),
    ("", "_Complex double f(_Complex double z) { return z + 1; } int main(void) { _Complex double z = 3; __imag__ z = 2; z = f(z); return (int)(__real__ z * 10 + __imag__ z); }"),
    ("", "int f(const char *s) { int n = 0; while (*s) n = n * 3 + *s++; return n; } int main(void) { return (f(\"\") + f(\"abc\") + f(__func__)) & 255; }"),
    ("", "int main(void) { int n = ({ int t = 4; t * t; }); int m = n ?: 9; return n + m + _Generic(n, int: 1, default: 2); }"),
    ("", "__attribute__((constructor)) static void before(void); static int n = 4; static void before(void) { n *= 2; } int main(void) { return n; }"),
    ("", "#include <stdlib.h>\nstruct f { int n; int rest[]; }; int main(void) { struct f *p = malloc(sizeof *p + 12); p->n = 3; for (int i = 0; i < 3; i++) p->rest[i] = i + p->n; return p->rest[2] * 10 + (int)sizeof *p; }"),
    ("", "#include <stdlib.h>
          struct last { int n; int a[1]; }; struct grid { int n; int cell[3][4]; int end; }; union u { int w[2]; char b[8]; };
          static int table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
          static int sum(const int *from, const int *to) { int s = 0; while (from < to) s += *from++; return s; }
          int main(void) { struct last *p = malloc(sizeof *p + 12); for (int i = 0; i < 4; i++) p->a[i] = i;
          union u x; for (int i = 0; i < 8; i++) x.b[i] = i; struct grid g = { 0 }; int n = 3, *end = &table[0][n];
          for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) g.cell[i][j] = i * j;
          return p->a[3] + x.w[1] % 50 + sum(table[0], end) + sum(table[n - 2], table[1] + n) + sum(g.cell[0], g.cell[n]); }"),
    ("-O1", "struct s { int a[2][3]; int b[4]; }; int at(struct s *s, int i) { return s->a[0][i] + s->a[1][i - 3]; }
          int main(int c, char **v) { struct s s = { { { 1, 2, 3 }, { 4, 5, 6 } }, { 7 } }; return at(&s, c + 2); }"),
    ("", "int f(int x) { if (x > 3) return 1; else if (x < 0) return -x; while (x) { if (x == 2) return 50; x--; } return 9; } int main(void) { return f(5) + f(-4) + f(3) + f(1) + f(0); }"),
    ("", "void g(int *p) { *p += 2; } int main(void) { int x = 1; g(&x); int y = x; g(&y); for (int i = 0; i < 3; i++) { int z = i; g(&z); y += z; } return x * 16 + y; }"),
];

/// Programs that fail, and how.
pub(super) const FAILURES: &[(FailureKind, &str)] = &[
    (
        FailureKind::Assertion,
        "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); return 0; }",
    ),
    (
        FailureKind::Abort,
        "#include <stdlib.h>\nint main(int c, char **v) { if (c == 2) abort(); return 0; }",
    ),
    (
        FailureKind::ReachableError,
        "void reach_error(void); int main(void) { reach_error(); return 0; }",
    ),
    (FailureKind::DivisionByZero, "int main(int c, char **v) { return 5 / (c - 2); }"),
    (FailureKind::DivisionByZero, "int main(int c, char **v) { return 5u % (c - 2); }"),
    (
        FailureKind::SignedOverflow,
        "int main(int c, char **v) { int x = 2147483646; return x + c; }",
    ),
    (
        FailureKind::SignedOverflow,
        "int main(int c, char **v) { long x = 1L << 62; return x * c > 0; }",
    ),
    (
        FailureKind::SignedOverflow,
        "int main(int c, char **v) { int x = -2147483647 - 1; return x / (1 - c); }",
    ),
    (
        FailureKind::SignedOverflow,
        "#include <stdlib.h>\nint main(int c, char **v) { return __builtin_abs(-2147483646 - c); }",
    ),
    (FailureKind::BadShift, "int main(int c, char **v) { return 1 << (c + 30); }"),
    (FailureKind::BadShift, "int main(int c, char **v) { return 100u >> -c; }"),
    (
        FailureKind::OutOfBounds,
        "int main(int c, char **v) { int a[3] = { 1, 2, 3 }; return a[c + 1]; }",
    ),
    (FailureKind::OutOfBounds, "int a[2][3]; int main(int c, char **v) { return a[0][c + 1]; }"),
    (
        FailureKind::OutOfBounds,
        "int at(int a[][3], int i, int j) { return a[i][j]; }
        int main(void) { int a[2][3] = { 0 }; return at(a, 1, -1); }",
    ),
    (
        FailureKind::OutOfBounds,
        "struct s { int a[3], b; } s; int main(int c, char **v) { s.a[c + 1] = 4; return s.b; }",
    ),
    (
        FailureKind::OutOfBounds,
        "struct s { int a[3], b; }; int main(int c, char **v) { struct s s = { 0 }; return s.a[3]; }",
    ),
    (
        FailureKind::OutOfBounds,
        "struct s { int a[3][2], b[9]; } s; int main(int c, char **v) { return s.a[c + 1][0]; }",
    ),
    (
        FailureKind::OutOfBounds,
        "struct s { int a[3][2], b[9]; } s; int main(int c, char **v) { return s.a[c + 2] != v; }",
    ),
    (FailureKind::NullDereference, "int main(int c, char **v) { int *p = 0; return *p; }"),
    (
        FailureKind::UseAfterFree,
        "int *f(void) { int x = 3; int *p = &x; return p; } int main(void) { return *f(); }",
    ),
    (FailureKind::ReadOnly, "int main(void) { char *s = (char *)\"abc\"; s[0] = 'x'; return 0; }"),
    (
        FailureKind::Uninitialised,
        "int main(int c, char **v) { int x; if (c == 3) x = 1; if (x) return 1; return 0; }",
    ),
    (
        FailureKind::Unreachable,
        "int main(int c, char **v) { if (c == 2) __builtin_unreachable(); return 0; }",
    ),
];
