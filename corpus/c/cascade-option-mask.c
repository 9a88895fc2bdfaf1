//@ args: -f json report
// A null pointer whose cause is a condition two levels up, as in the `arp` of paper 5 (Fig. 10): a style is
// said to be wanted if the option for the format was given, where the one for the style is meant.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { OPT_FORMAT = 1, OPT_STYLE = 2, OPT_VERBOSE = 4 };

struct style {
    const char *name;
    int indentation;
};

static const struct style styles[] = { { "compact", 0 }, { "wide", 4 }, { NULL, 0 } };

static unsigned mask;
static const char *format = "text", *style_name;

static const struct style *find_style(const char *name)
{
    for (const struct style *style = styles; style->name != NULL; style++)
        if (name[0] == style->name[0] && strcmp(name, style->name) == 0) //~ failure: null-dereference
            return style;
    return NULL;
}

static int parse_options(int argc, char **argv)
{
    int i = 1;

    for (; i < argc && argv[i][0] == '-'; i++)
        switch (argv[i][1]) {
        case 'f':
            mask |= OPT_FORMAT;
            if (i + 1 < argc)
                format = argv[++i];
            break;
        case 's':
            mask |= OPT_STYLE;
            if (i + 1 < argc)
                style_name = argv[++i];
            break;
        default:
            mask |= OPT_VERBOSE;
        }
    return i;
}

int main(int argc, char **argv)
{
    const struct style *style = &styles[0];
    int first = parse_options(argc, argv);
    int styled = 0;

    if (mask & OPT_FORMAT) //~ fault //~ cascade
        styled = 1;
    if (styled)
        style = find_style(style_name);
    printf("%s as %s, indented by %d\n", argv[first], format, style->indentation);
    return 0;
}
