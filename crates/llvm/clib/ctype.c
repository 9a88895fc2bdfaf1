// ctype.h, for the locale "C".
//
// glibc's macros look up the classes of a character in a table that a function returns. The indices are -128 to
// 255; any other is outside the object, and so a failure of the user.

#include <ctype.h>

#define CONTROL _IScntrl
#define GRAPH (_ISgraph | _ISprint)
#define PUNCTUATION (GRAPH | _ISpunct)
#define DIGIT (GRAPH | _ISalnum | _ISdigit | _ISxdigit)
#define UPPER (GRAPH | _ISalnum | _ISalpha | _ISupper)
#define LOWER (GRAPH | _ISalnum | _ISalpha | _ISlower)

static const unsigned short CLASSES[384] = {
    [128 + 0 ... 128 + '\b'] = CONTROL,
    [128 + '\t'] = CONTROL | _ISspace | _ISblank,
    [128 + '\n' ... 128 + '\r'] = CONTROL | _ISspace,
    [128 + 14 ... 128 + 31] = CONTROL,
    [128 + ' '] = _ISprint | _ISspace | _ISblank,
    [128 + '!' ... 128 + '/'] = PUNCTUATION,
    [128 + '0' ... 128 + '9'] = DIGIT,
    [128 + ':' ... 128 + '@'] = PUNCTUATION,
    [128 + 'A' ... 128 + 'F'] = UPPER | _ISxdigit,
    [128 + 'G' ... 128 + 'Z'] = UPPER,
    [128 + '[' ... 128 + '`'] = PUNCTUATION,
    [128 + 'a' ... 128 + 'f'] = LOWER | _ISxdigit,
    [128 + 'g' ... 128 + 'z'] = LOWER,
    [128 + '{' ... 128 + '~'] = PUNCTUATION,
    [128 + 127] = CONTROL,
};

const unsigned short **__ctype_b_loc(void) {
    static const unsigned short *table = CLASSES + 128;
    return &table;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

static int upper(int c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

// Negative characters are those above 127, except the one that is EOF.
static void fill(int *table, int (*map)(int)) {
    for (int c = -128; c < 256; c++) table[128 + c] = c < -1 ? c + 256 : map(c);
}

const int **__ctype_tolower_loc(void) {
    static int table[384];
    static const int *middle;
    if (middle == 0) {
        fill(table, lower);
        middle = table + 128;
    }
    return &middle;
}

const int **__ctype_toupper_loc(void) {
    static int table[384];
    static const int *middle;
    if (middle == 0) {
        fill(table, upper);
        middle = table + 128;
    }
    return &middle;
}

int(tolower)(int c) { return lower(c); }
int(toupper)(int c) { return upper(c); }
int(_tolower)(int c) { return lower(c); }
int(_toupper)(int c) { return upper(c); }
int(toascii)(int c) { return c & 127; }
int(isascii)(int c) { return (c & ~127) == 0; }

int(isalnum)(int c) { return CLASSES[128 + c] & _ISalnum; }
int(isalpha)(int c) { return CLASSES[128 + c] & _ISalpha; }
int(isblank)(int c) { return CLASSES[128 + c] & _ISblank; }
int(iscntrl)(int c) { return CLASSES[128 + c] & _IScntrl; }
int(isdigit)(int c) { return CLASSES[128 + c] & _ISdigit; }
int(isgraph)(int c) { return CLASSES[128 + c] & _ISgraph; }
int(islower)(int c) { return CLASSES[128 + c] & _ISlower; }
int(isprint)(int c) { return CLASSES[128 + c] & _ISprint; }
int(ispunct)(int c) { return CLASSES[128 + c] & _ISpunct; }
int(isspace)(int c) { return CLASSES[128 + c] & _ISspace; }
int(isupper)(int c) { return CLASSES[128 + c] & _ISupper; }
int(isxdigit)(int c) { return CLASSES[128 + c] & _ISxdigit; }
