// locale.h: there is one locale, "C".

#include <limits.h>
#include <locale.h>
#include <stddef.h>

char *setlocale(int category, const char *name) {
    static char c[] = "C";
    (void)category;
    if (name == NULL || *name == '\0') return c;
    if (name[0] == 'C' && name[1] == '\0') return c;
    const char *posix = "POSIX";
    size_t i = 0;
    while (posix[i] != '\0' && name[i] == posix[i]) i++;
    return posix[i] == name[i] ? c : NULL;
}

struct lconv *localeconv(void) {
    static char point[] = ".", empty[] = "";
    static struct lconv it = {
        .decimal_point = point,
        .thousands_sep = empty,
        .grouping = empty,
        .int_curr_symbol = empty,
        .currency_symbol = empty,
        .mon_decimal_point = empty,
        .mon_thousands_sep = empty,
        .mon_grouping = empty,
        .positive_sign = empty,
        .negative_sign = empty,
        .int_frac_digits = CHAR_MAX,
        .frac_digits = CHAR_MAX,
        .p_cs_precedes = CHAR_MAX,
        .p_sep_by_space = CHAR_MAX,
        .n_cs_precedes = CHAR_MAX,
        .n_sep_by_space = CHAR_MAX,
        .p_sign_posn = CHAR_MAX,
        .n_sign_posn = CHAR_MAX,
    };
    return &it;
}
