// getopt.h: the options of a command line. Arguments that are no options are moved to the end, as glibc does.

#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

// The rest of the group of short options that is being read; the options seen lie behind the other
// arguments from `first` to `last`.
static char *group;
static int first, last;

enum order { PERMUTE, STOP, RETURN_ALL };

// Moves the arguments from `last` to `optind`, which are options, before those from `first` to `last`.
static void exchange(char **argv) {
    for (int i = last; i < optind; i++) {
        char *option = argv[i];
        for (int j = i; j > first + (i - last); j--) argv[j] = argv[j - 1];
        argv[first + (i - last)] = option;
    }
    first += optind - last;
    last = optind;
}

static int is_option(const char *argument) { return argument[0] == '-' && argument[1] != '\0'; }

static int is_end(const char *argument) { return argument[0] == '-' && argument[1] == '-' && argument[2] == '\0'; }

static int contains(const char *shorts, char c) {
    for (; *shorts != '\0'; shorts++)
        if (*shorts == c) return 1;
    return 0;
}

// The option whose name begins with these characters: an exact match, or the only one. -1: none, -2: several.
static int find_long(const char *name, size_t length, const struct option *options) {
    int found = -1;
    for (int i = 0; options[i].name != NULL; i++) {
        size_t n = 0;
        while (n < length && options[i].name[n] == name[n]) n++;
        if (n < length) continue;
        if (options[i].name[n] == '\0') return i;
        if (found == -1) found = i;
        else if (options[found].has_arg != options[i].has_arg || options[found].flag != options[i].flag ||
                 options[found].val != options[i].val)
            found = -2;
    }
    return found;
}

static int read_long(int argc, char **argv, const char *shorts, const struct option *options, int *index,
                     const char *prefix) {
    char *name = group;
    size_t length = 0;
    while (name[length] != '\0' && name[length] != '=') length++;
    int complain = opterr && shorts[0] != ':';
    int found = find_long(name, length, options);
    group = NULL;
    optind++;
    if (found < 0) {
        if (complain && found == -2) fprintf(stderr, "%s: option '%s%s' is ambiguous\n", argv[0], prefix, name);
        else if (complain) fprintf(stderr, "%s: unrecognized option '%s%s'\n", argv[0], prefix, name);
        optopt = 0;
        return '?';
    }
    const struct option *it = &options[found];
    if (name[length] == '=') {
        if (it->has_arg == no_argument) {
            if (complain)
                fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv[0], prefix, it->name);
            optopt = it->val;
            return '?';
        }
        optarg = name + length + 1;
    } else if (it->has_arg == required_argument) {
        if (optind >= argc) {
            if (complain) fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv[0], prefix, it->name);
            optopt = it->val;
            return shorts[0] == ':' ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (index != NULL) *index = found;
    if (it->flag == NULL) return it->val;
    *it->flag = it->val;
    return 0;
}

static int read_short(int argc, char **argv, const char *shorts) {
    char c = *group++;
    const char *known = shorts;
    int complain = opterr && shorts[0] != ':';
    while (*known != '\0' && (*known != c || c == ':' || c == ';')) known++;
    if (*group == '\0') optind++;
    if (*known == '\0') {
        if (complain) fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], c);
        if (*group == '\0') group = NULL;
        optopt = c;
        return '?';
    }
    if (known[1] != ':') {
        if (*group == '\0') group = NULL;
        return c;
    }
    int result = c;
    if (*group != '\0') {
        optarg = group;
        optind++;
    } else if (known[2] == ':') {
        optarg = NULL;
    } else if (optind < argc) {
        optarg = argv[optind++];
    } else {
        if (complain) fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], c);
        optopt = c;
        result = shorts[0] == ':' ? ':' : '?';
    }
    group = NULL;
    return result;
}

static int next(int argc, char **argv, const char *shorts, const struct option *options, int *index, int single) {
    enum order order = *shorts == '-' ? RETURN_ALL : *shorts == '+' ? STOP : PERMUTE;
    if (*shorts == '-' || *shorts == '+') shorts++;
    if (argc < 1) return -1;
    optarg = NULL;
    if (optind == 0 || (first == 0 && optind == 1)) {
        if (optind == 0) optind = 1;
        first = last = optind;
        group = NULL;
    }
    if (group == NULL || *group == '\0') {
        if (last > optind) last = optind;
        if (first > optind) first = optind;
        if (order == PERMUTE) {
            if (first != last && last != optind) exchange(argv);
            else if (last != optind) first = optind;
            while (optind < argc && !is_option(argv[optind])) optind++;
            last = optind;
        }
        if (optind < argc && is_end(argv[optind])) {
            optind++;
            if (first != last && last != optind) exchange(argv);
            else if (first == last) first = optind;
            last = argc;
            optind = argc;
        }
        if (optind >= argc) {
            if (first != last) optind = first;
            return -1;
        }
        if (!is_option(argv[optind])) {
            if (order == STOP) return -1;
            optarg = argv[optind++];
            return 1;
        }
        char *argument = argv[optind];
        if (options != NULL && argument[1] == '-') {
            group = argument + 2;
            return read_long(argc, argv, shorts, options, index, "--");
        }
        group = argument + 1;
        // What may be a short option is one, unless it is the name of a long one.
        int is_short = contains(shorts, *group);
        if (options != NULL && single && (group[1] != '\0' || !is_short)) {
            size_t length = 0;
            while (group[length] != '\0' && group[length] != '=') length++;
            if (!is_short || find_long(group, length, options) != -1)
                return read_long(argc, argv, shorts, options, index, "-");
        }
    }
    return read_short(argc, argv, shorts);
}

int getopt(int argc, char *const argv[], const char *shorts) {
    return next(argc, (char **)argv, shorts, NULL, NULL, 0);
}

int __posix_getopt(int argc, char *const argv[], const char *shorts) {
    return next(argc, (char **)argv, shorts, NULL, NULL, 0);
}

int getopt_long(int argc, char *const argv[], const char *shorts, const struct option *options, int *index) {
    return next(argc, (char **)argv, shorts, options, index, 0);
}

int getopt_long_only(int argc, char *const argv[], const char *shorts, const struct option *options, int *index) {
    return next(argc, (char **)argv, shorts, options, index, 1);
}
