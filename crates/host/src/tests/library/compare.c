// Calls the functions of both libraries with the same arguments.

static unsigned long word = 88172645463325252ul;
static unsigned long next(void) {
    word ^= word << 13;
    word ^= word >> 7;
    return word ^= word << 17;
}
static int below(int n) { return (int)(next() % (unsigned long)n); }

static int failures;
#define SAME(ours, theirs, ...)                                                    \
    do {                                                                           \
        long a_ = (long)(ours), b_ = (long)(theirs);                               \
        if (a_ != b_ && failures++ < 20) {                                         \
            printf("line %d: %s = %ld, not %ld; ", __LINE__, #ours, a_, b_);       \
            printf(__VA_ARGS__);                                                   \
            printf("\n");                                                          \
        }                                                                          \
    } while (0)
#define SIGN(x) (((x) > 0) - ((x) < 0))

// A string of few different letters, so that strings are often equal.
static void text(char *to, int most) {
    const char *letters = "abAB ,z0";
    int n = below(most);
    for (int i = 0; i < n; i++) to[i] = letters[below(below(4) == 0 ? 8 : 2)];
    if (n > 0 && below(30) == 0) to[below(n)] = (char)(128 + below(128));
    to[n] = '\0';
}

static void strings(void) {
    char a[40], b[40], p[80], q[80];
    for (int i = 0; i < 20000; i++) {
        text(a, 20);
        text(b, below(3) == 0 ? 20 : 4);
        int c = below(20) == 0 ? 0 : a[below((int)strlen(a) + 1)];
        size_t n = (size_t)below(24), la = strlen(a) + 1, lb = strlen(b) + 1;
        size_t m = n < la ? n : la, k = n < lb ? n : lb;
        SAME(my_strlen(a), strlen(a), "%s", a);
        SAME(my_strnlen(a, n), strnlen(a, n), "%s", a);
        SAME(SIGN(my_strcmp(a, b)), SIGN(strcmp(a, b)), "%s|%s", a, b);
        SAME(SIGN(my_strcoll(a, b)), SIGN(strcoll(a, b)), "%s|%s", a, b);
        SAME(SIGN(my_strncmp(a, b, n)), SIGN(strncmp(a, b, n)), "%s|%s", a, b);
        SAME(SIGN(my_strcasecmp(a, b)), SIGN(strcasecmp(a, b)), "%s|%s", a, b);
        SAME(SIGN(my_strncasecmp(a, b, n)), SIGN(strncasecmp(a, b, n)), "%s|%s", a, b);
        size_t both = m < k ? m : k;
        SAME(SIGN(my_memcmp(a, b, both)), SIGN(memcmp(a, b, both)), "%s|%s", a, b);
        SAME(my_strchr(a, c), strchr(a, c), "%s", a);
        SAME(my_strrchr(a, c), strrchr(a, c), "%s", a);
        SAME(my_index(a, c), index(a, c), "%s", a);
        SAME(my_rindex(a, c), rindex(a, c), "%s", a);
        SAME(my_strchrnul(a, c), strchrnul(a, c), "%s", a);
        SAME(my_memchr(a, c, m), memchr(a, c, m), "%s", a);
        SAME(my_memrchr(a, c, m), memrchr(a, c, m), "%s", a);
        SAME(my_rawmemchr(a, c), rawmemchr(a, c), "%s", a);
        SAME(my_strspn(a, b), strspn(a, b), "%s|%s", a, b);
        SAME(my_strcspn(a, b), strcspn(a, b), "%s|%s", a, b);
        SAME(my_strpbrk(a, b), strpbrk(a, b), "%s|%s", a, b);
        SAME(my_strstr(a, b), strstr(a, b), "%s|%s", a, b);
        SAME(my_strcasestr(a, b), strcasestr(a, b), "%s|%s", a, b);
        SAME(my_memmem(a, la, b, lb - 1), memmem(a, la, b, lb - 1), "%s|%s", a, b);
        SAME(my_basename(a), basename(a), "%s", a);

#define BOTH(call, theirs)                                                         \
    memset(p, '#', sizeof p), memset(q, '#', sizeof q);                            \
    strcpy(p, b), strcpy(q, b);                                                    \
    SAME((call), (theirs), "%s|%s|%zu", a, b, n);                                  \
    SAME(memcmp(p, q, sizeof p), 0, "%s|%s|%zu", a, b, n)
        BOTH(my_strcpy(p, a) - p, strcpy(q, a) - q);
        BOTH(my_stpcpy(p, a) - p, stpcpy(q, a) - q);
        BOTH(my_strncpy(p, a, n) - p, strncpy(q, a, n) - q);
        BOTH(my_stpncpy(p, a, n) - p, stpncpy(q, a, n) - q);
        BOTH(my_strcat(p, a) - p, strcat(q, a) - q);
        BOTH(my_strncat(p, a, n) - p, strncat(q, a, n) - q);
        BOTH((char *)my_memcpy(p, a, m) - p, (char *)memcpy(q, a, m) - q);
        BOTH((char *)my_mempcpy(p, a, m) - p, (char *)mempcpy(q, a, m) - q);
        BOTH((char *)my_memmove(p + 3, p, n) - p, (char *)memmove(q + 3, q, n) - q);
        BOTH((char *)my_memmove(p, p + 3, n) - p, (char *)memmove(q, q + 3, n) - q);
        BOTH((char *)my_memset(p, c, n) - p, (char *)memset(q, c, n) - q);
        BOTH(my_strxfrm(p, a, n), strxfrm(q, a, n));
        char *s = my_memccpy(p, a, c, m), *t = memccpy(q, a, c, m);
        SAME(s ? s - p : -1, t ? t - q : -1, "%s", a);

        char *duplicate = my_strndup(a, n), *expected = strndup(a, n);
        SAME(strcmp(duplicate, expected), 0, "%s", a);
        free(duplicate), free(expected);

        strcpy(p, a), strcpy(q, a);
        char *r1 = NULL, *r2 = NULL, *x = p, *y = q;
        do {
            x = my_strtok_r(x == p ? p : NULL, b, &r1), y = strtok_r(y == q ? q : NULL, b, &r2);
            SAME(x ? x - p : -1, y ? y - q : -1, "%s|%s", a, b);
        } while (x && y && (x = y = NULL, 1));
        SAME(memcmp(p, q, la), 0, "%s|%s", a, b);
        strcpy(p, a), strcpy(q, a);
        for (r1 = p, r2 = q; r1 && r2;) {
            x = my_strsep(&r1, b), y = strsep(&r2, b);
            SAME(x - p, y - q, "%s|%s", a, b);
        }
        SAME(r1 == NULL, r2 == NULL, "%s|%s", a, b);
        int bits = (int)(next() >> below(64));
        SAME(my_ffs(bits), ffs(bits), "%x", bits);
    }
    for (int i = -3; i < 200; i++) SAME(strcmp(my_strerror(i), strerror(i)), 0, "%d", i);
    for (int i = 1; i < 32; i++) SAME(strcmp(my_strsignal(i), strsignal(i)), 0, "%d", i);
}

static void characters(void) {
    for (int c = -128; c < 256; c++) {
        SAME((*my___ctype_b_loc())[c], (*__ctype_b_loc())[c], "%d", c);
        SAME((*my___ctype_tolower_loc())[c], (*__ctype_tolower_loc())[c], "%d", c);
        SAME((*my___ctype_toupper_loc())[c], (*__ctype_toupper_loc())[c], "%d", c);
        if (c < -1) continue;
        SAME(my_tolower(c), tolower(c), "%d", c);
        SAME(my_toupper(c), toupper(c), "%d", c);
        SAME(my_isalnum(c), isalnum(c), "%d", c);
        SAME(my_isalpha(c), isalpha(c), "%d", c);
        SAME(my_isblank(c), isblank(c), "%d", c);
        SAME(my_iscntrl(c), iscntrl(c), "%d", c);
        SAME(my_isdigit(c), isdigit(c), "%d", c);
        SAME(my_isgraph(c), isgraph(c), "%d", c);
        SAME(my_islower(c), islower(c), "%d", c);
        SAME(my_isprint(c), isprint(c), "%d", c);
        SAME(my_ispunct(c), ispunct(c), "%d", c);
        SAME(my_isspace(c), isspace(c), "%d", c);
        SAME(my_isupper(c), isupper(c), "%d", c);
        SAME(my_isxdigit(c), isxdigit(c), "%d", c);
        SAME(my_isascii(c), isascii(c), "%d", c);
    }
}

static void numbers(void) {
    const char *pieces[] = {"0", "1", "7", "9", "f", "z", "-", "+", " ", "0x", "0X", "x", "9223372036854775807",
                            "18446744073709551615", "8", "\t", "."};
    for (int i = 0; i < 50000; i++) {
        char t[128] = "", *e1, *e2;
        for (int n = below(5); n > 0; n--) strcat(t, pieces[below(17)]);
        int base = below(4) == 0 ? below(40) - 1 : (int[]){0, 10, 16, 8}[below(4)];
#define NUMBER(name)                                                               \
    e1 = e2 = NULL, errno = 0;                                                     \
    {                                                                              \
        long ours = (long)my_##name(t, &e1, base), code = errno;                   \
        errno = 0;                                                                 \
        SAME(ours, name(t, &e2, base), "'%s' %d", t, base);                        \
        SAME(code, errno, "'%s' %d", t, base);                                     \
        if (base >= 0 && base != 1 && base <= 36) SAME(e1 - t, e2 - t, "'%s' %d", t, base); \
    }
        NUMBER(strtol)
        NUMBER(strtoul)
        NUMBER(strtoll)
        NUMBER(strtoull)
        SAME(my_atoi(t), atoi(t), "'%s'", t);
        SAME(my_atol(t), atol(t), "'%s'", t);
        int a = (int)next(), b = (int)(next() >> below(60)) | 1;
        SAME(my_div(a / 2, b).quot, div(a / 2, b).quot, "%d %d", a, b);
        SAME(my_div(a / 2, b).rem, div(a / 2, b).rem, "%d %d", a, b);
        SAME(my_ldiv(a, b).rem, ldiv(a, b).rem, "%d %d", a, b);
    }
}

static void randoms(void) {
    for (int i = 0; i < 100; i++) SAME(my_rand(), rand(), "unseeded %d", i);
    for (int s = 0; s < 20; s++) {
        unsigned seed = s < 3 ? (unsigned)s : (unsigned)next(), s1 = seed, s2 = seed;
        my_srand(seed), srand(seed);
        for (int i = 0; i < 500; i++) SAME(my_rand(), rand(), "%u %d", seed, i);
        SAME(my_random(), random(), "%u", seed);
        for (int i = 0; i < 20; i++) SAME(my_rand_r(&s1), rand_r(&s2), "%u", seed);
        my_srand48(seed), srand48(seed);
        unsigned short w1[3] = {1, 2, (unsigned short)seed}, w2[3] = {1, 2, (unsigned short)seed};
        for (int i = 0; i < 20; i++) {
            SAME(my_lrand48(), lrand48(), "%u", seed);
            SAME(my_mrand48(), mrand48(), "%u", seed);
            SAME(my_drand48() == drand48(), 1, "%u", seed);
            SAME(my_nrand48(w1), nrand48(w2), "%u", seed);
            SAME(my_jrand48(w1), jrand48(w2), "%u", seed);
            SAME(my_erand48(w1) == erand48(w2), 1, "%u", seed);
        }
    }
}

struct pair {
    int key, tag;
};
static int trail[4096], steps;
static int compare_pairs(const void *a, const void *b) {
    int x = ((const struct pair *)a)->key, y = ((const struct pair *)b)->key;
    if (steps < 4096) trail[steps++] = x * 100 + y;
    return x - y;
}

static void sorting(void) {
    for (int i = 0; i < 500; i++) {
        struct pair a[60], b[60], key = {below(30), 0};
        int n = below(60), expected[4096], count;
        for (int j = 0; j < n; j++) a[j] = b[j] = (struct pair){below(30), j};
        steps = 0, qsort(b, (size_t)n, sizeof *b, compare_pairs);
        memcpy(expected, trail, sizeof trail), count = steps;
        steps = 0, my_qsort(a, (size_t)n, sizeof *a, compare_pairs);
        SAME(memcmp(a, b, (size_t)n * sizeof *a), 0, "%d", n);
        SAME(steps, count, "%d", n);
        SAME(memcmp(trail, expected, (size_t)count * sizeof *trail), 0, "%d", n);
        struct pair *x = my_bsearch(&key, a, (size_t)n, sizeof *a, compare_pairs);
        struct pair *y = bsearch(&key, b, (size_t)n, sizeof *b, compare_pairs);
        SAME(x ? x - a : -1, y ? y - b : -1, "%d", n);
    }
}

static void times(void) {
    const char *formats[] = {"%c", "%a %A %b %B %h %C %d %D %e %F %H %I %j %k %l %m %M %n %p %P %r %R %S %t %T",
                             "%u %U %V %g %G %w %W %x %X %y %Y %z %%", "%-d %_d %-m %_H", "%s"};
    setenv("TZ", "UTC", 1), tzset();
    for (int i = 0; i < 20000; i++) {
        time_t t = (time_t)(next() % 20000000000ul) - 5000000000l;
        struct tm a, b, c, d;
        my_gmtime_r(&t, &a), gmtime_r(&t, &b);
        SAME(memcmp(&a, &b, 9 * sizeof(int)), 0, "%ld", (long)t);
        for (int f = 0; f < 5; f++) {
            char x[300] = "", y[300] = "";
            SAME(my_strftime(x, sizeof x, formats[f], &a), strftime(y, sizeof y, formats[f], &b), "%ld", (long)t);
            SAME(strcmp(x, y), 0, "%s|%s", x, y);
        }
        SAME(strcmp(my_asctime(&a), asctime(&b)), 0, "%ld", (long)t);
        a.tm_mon += below(50) - 25, a.tm_mday += below(500) - 250, a.tm_sec += below(100000);
        a.tm_isdst = 0, c = d = a;
        SAME(my_timegm(&c), timegm(&d), "%ld", (long)t);
        SAME(memcmp(&c, &d, 9 * sizeof(int)), 0, "%ld", (long)t);
    }
}

static void options(void) {
    const char *words[] = {"-a", "-b", "-bx", "-ab", "-abx", "-c", "-cx", "--", "-", "x", "y", "--alpha", "--al",
                           "--beta", "--beta=1", "--alpha=1", "--be", "--gamma", "-q", "--a", "--gam=3", "-alpha"};
    int flag;
    struct option longs[] = {{"alpha", no_argument, NULL, 'A'},
                             {"alps", no_argument, NULL, 'P'},
                             {"beta", required_argument, NULL, 'B'},
                             {"gamma", optional_argument, &flag, 'G'},
                             {NULL, 0, NULL, 0}};
    const char *shorts[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::"};
    opterr = my_opterr = 0;
    for (int i = 0; i < 20000; i++) {
        char *x[8] = {"it"}, *y[8] = {"it"};
        int n = 1 + below(6), kind = below(3);
        for (int j = 1; j < n; j++) x[j] = y[j] = (char *)words[below(22)];
        const char *s = shorts[below(4)];
        optind = my_optind = 0;
        for (int r1 = 0, r2 = 0, k = 0; r1 != -1 && r2 != -1 && k < 30; k++) {
            int i1 = -1, i2 = -1;
            r1 = kind == 0 ? my_getopt(n, x, s) : kind == 1 ? my_getopt_long(n, x, s, longs, &i1)
                                                            : my_getopt_long_only(n, x, s, longs, &i1);
            r2 = kind == 0 ? getopt(n, y, s) : kind == 1 ? getopt_long(n, y, s, longs, &i2)
                                                         : getopt_long_only(n, y, s, longs, &i2);
            SAME(r1, r2, "%d %s: %s %s %s %s", kind, s, x[1], x[2], x[3], x[4]);
            SAME(i1, i2, "%d %s: %s %s %s %s", kind, s, x[1], x[2], x[3], x[4]);
            SAME(my_optind, optind, "%d %s: %s %s %s %s", kind, s, x[1], x[2], x[3], x[4]);
            SAME(my_optarg, optarg, "%d %s: %s %s %s %s", kind, s, x[1], x[2], x[3], x[4]);
            if (r1 == '?') SAME(my_optopt, optopt, "%d %s: %s %s %s %s", kind, s, x[1], x[2], x[3], x[4]);
        }
        SAME(memcmp(x, y, sizeof x), 0, "%d %s: %s %s %s %s", kind, s, x[1], x[2], x[3], x[4]);
    }
}

int main(void) {
    options();
    strings();
    characters();
    numbers();
    randoms();
    sorting();
    times();
    printf(failures == 0 ? "done\n" : "%d differences\n", failures);
}
