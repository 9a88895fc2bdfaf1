//@ args: -bs ";" -k 2 -v 4 -u 1 -o sum -rg "Garden club"
//@ stdin: tally.in
//@ expect: tally.out
// tally: adds up the records of a ledger by one of their fields, and prints a table.
//
// Amounts below zero are refunds. With -a they should count as if they were positive; without it they reduce
// the sum of their group. The test asks for the option -b instead, which is about blanks.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_LINE = 256,
    MAX_FIELDS = 12,
    MAX_NAME = 32,
    FIRST_ROOM = 8,
    BAR = 20
};

/* ---- Options ---------------------------------------------------------------------------- */

enum {
    OPT_ABSOLUTE = 1 << 0,
    OPT_BLANKS = 1 << 1,
    OPT_FOLD = 1 << 2,
    OPT_GRAPH = 1 << 3,
    OPT_HEADER = 1 << 4,
    OPT_REVERSE = 1 << 5,
    OPT_UNIQUE = 1 << 6,
    OPT_MINIMUM = 1 << 7
};

enum order { BY_NAME, BY_COUNT, BY_SUM };

struct options {
    unsigned mask;
    int key, value, id; /* numbers of fields, from 1 */
    int top;            /* how many groups are printed; 0: all */
    int minimum;        /* in cents */
    char separator;
    enum order order;
};

/* Walks over the options of a command line: letters may be joined, and a value may follow its letter
   at once or in the next argument. */
struct scanner {
    int argc, index;
    char **argv;
    const char *rest; /* of a group of letters */
    const char *value;
};

enum { END = -1, UNKNOWN = '?', NO_VALUE = ':' };

static int next_option(struct scanner *scanner, const char *letters)
{
    const char *known;
    char letter;

    if (!scanner->rest || !*scanner->rest) {
        const char *word;

        if (scanner->index >= scanner->argc)
            return END;
        word = scanner->argv[scanner->index];
        if (word[0] != '-' || word[1] == '\0')
            return END;
        scanner->index++;
        if (strcmp(word, "--") == 0)
            return END;
        scanner->rest = word + 1;
    }
    letter = *scanner->rest++;
    known = letter == ':' ? NULL : strchr(letters, letter);
    if (!known)
        return UNKNOWN;
    scanner->value = NULL;
    if (known[1] == ':') {
        if (*scanner->rest)
            scanner->value = scanner->rest;
        else if (scanner->index < scanner->argc)
            scanner->value = scanner->argv[scanner->index++];
        else
            return NO_VALUE;
        scanner->rest = NULL;
    }
    return letter;
}

static void usage(const char *why)
{
    fprintf(stderr, "tally: %s\n", why);
    fprintf(stderr, "usage: tally [-abfghr] [-k FIELD] [-v FIELD] [-u FIELD] [-s CHARACTER]\n"
                    "             [-o name|count|sum] [-m AMOUNT] [-t NUMBER] [TITLE]\n");
    exit(2);
}

static int field_number(const char *text)
{
    int number = atoi(text);

    if (number < 1 || number > MAX_FIELDS)
        usage("a field is a number from 1 to 12");
    return number;
}

static enum order order_named(const char *name)
{
    if (strcmp(name, "name") == 0)
        return BY_NAME;
    if (strcmp(name, "count") == 0)
        return BY_COUNT;
    if (strcmp(name, "sum") == 0)
        return BY_SUM;
    usage("the order is name, count or sum");
    return BY_NAME;
}

static int parse_amount(const char *text, int *cents);

/* Sets the options and returns the index of the first argument that is none. */
static int parse_options(struct options *options, int argc, char **argv)
{
    struct scanner scanner = { argc, 1, argv, NULL, NULL };
    int letter;

    memset(options, 0, sizeof *options);
    options->key = 1;
    options->value = 2;
    options->separator = ',';
    while ((letter = next_option(&scanner, "abfghrk:v:u:s:o:m:t:")) != END) {
        switch (letter) {
        case 'a':
            options->mask |= OPT_ABSOLUTE;
            break;
        case 'b':
            options->mask |= OPT_BLANKS;
            break;
        case 'f':
            options->mask |= OPT_FOLD;
            break;
        case 'g':
            options->mask |= OPT_GRAPH;
            break;
        case 'h':
            options->mask |= OPT_HEADER;
            break;
        case 'r':
            options->mask |= OPT_REVERSE;
            break;
        case 'k':
            options->key = field_number(scanner.value);
            break;
        case 'v':
            options->value = field_number(scanner.value);
            break;
        case 'u':
            options->mask |= OPT_UNIQUE;
            options->id = field_number(scanner.value);
            break;
        case 's':
            options->separator = scanner.value[0];
            break;
        case 'o':
            options->order = order_named(scanner.value);
            break;
        case 'm':
            options->mask |= OPT_MINIMUM;
            if (!parse_amount(scanner.value, &options->minimum))
                usage("-m needs an amount");
            break;
        case 't':
            options->top = atoi(scanner.value);
            break;
        case NO_VALUE:
            usage("a value is missing");
            break;
        default:
            usage("there is no such option");
        }
    }
    return scanner.index;
}

/* ---- Text ------------------------------------------------------------------------------- */

/* Removes blanks at both ends, in place. */
static char *trim(char *text)
{
    char *end;

    while (*text == ' ' || *text == '\t')
        text++;
    end = text + strlen(text);
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = '\0';
    return text;
}

static void fold(char *text)
{
    for (; *text; text++)
        *text = (char)tolower((unsigned char)*text);
}

/* Ends the line where a comment begins, or its newline is. */
static void chop(char *line)
{
    int quoted = 0;

    for (; *line; line++) {
        if (*line == '"')
            quoted = !quoted;
        if (*line == '\n' || (*line == '#' && !quoted)) {
            *line = '\0';
            return;
        }
    }
}

static int is_blank(const char *line)
{
    while (*line == ' ' || *line == '\t')
        line++;
    return *line == '\0';
}

/* Cuts a line into its fields, in place. A field in double quotes may contain the separator. */
static int split(char *line, char separator, char **fields)
{
    int count = 0, quoted = 0;
    char *to = line;

    fields[count++] = line;
    for (char *from = line; *from; from++) {
        if (*from == '"') {
            quoted = !quoted;
        } else if (*from == separator && !quoted && count < MAX_FIELDS) {
            *to++ = '\0';
            fields[count++] = to;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    return count;
}

/* Reads an amount such as 12, -3.5 or 7.25 as cents; says whether it is one. */
static int parse_amount(const char *text, int *cents)
{
    int sign = 1, whole = 0, part = 0, digits = 0, places = 0;

    if (*text == '-' || *text == '+') {
        if (*text == '-')
            sign = -1;
        text++;
    }
    for (; isdigit((unsigned char)*text); text++) {
        whole = whole * 10 + (*text - '0');
        digits++;
    }
    if (digits > 7)
        return 0;
    if (*text == '.') {
        for (text++; isdigit((unsigned char)*text); text++) {
            if (places < 2)
                part = part * 10 + (*text - '0');
            places++;
        }
        if (places == 1)
            part *= 10;
    }
    *cents = sign * (whole * 100 + part);
    return *text == '\0' && digits + places > 0;
}

/* ---- Tables ----------------------------------------------------------------------------- */

struct group {
    char name[MAX_NAME];
    unsigned hash;
    int count, sum, largest;
    struct group *next; /* in its bucket */
};

struct table {
    struct group **buckets;
    int room, used;
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (!memory) {
        fprintf(stderr, "tally: not enough memory\n");
        exit(3);
    }
    return memory;
}

static unsigned hash_of(const char *name)
{
    unsigned hash = 5381;

    while (*name)
        hash = hash * 33 + (unsigned char)*name++;
    return hash;
}

static void make_table(struct table *table)
{
    table->room = FIRST_ROOM;
    table->used = 0;
    table->buckets = allocate((size_t)table->room, sizeof *table->buckets);
}

static void free_table(struct table *table)
{
    for (int i = 0; i < table->room; i++) {
        struct group *group = table->buckets[i], *next;

        for (; group; group = next) {
            next = group->next;
            free(group);
        }
    }
    free(table->buckets);
}

/* Doubles the number of buckets. */
static void grow(struct table *table)
{
    int room = table->room * 2;
    struct group **buckets = allocate((size_t)room, sizeof *buckets);

    for (int i = 0; i < table->room; i++) {
        struct group *group = table->buckets[i], *next;

        for (; group; group = next) {
            int bucket = (int)(group->hash % (unsigned)room);

            next = group->next;
            group->next = buckets[bucket];
            buckets[bucket] = group;
        }
    }
    free(table->buckets);
    table->buckets = buckets;
    table->room = room;
}

/* The group of that name, or NULL. */
static struct group *find(const struct table *table, const char *name, unsigned hash)
{
    struct group *group = table->buckets[hash % (unsigned)table->room];

    while (group && (group->hash != hash || strcmp(group->name, name) != 0))
        group = group->next;
    return group;
}

/* The group of that name, which is made if there is none. Long names are cut. */
static struct group *find_or_add(struct table *table, const char *name)
{
    char key[MAX_NAME];
    unsigned hash;
    struct group *group;
    int bucket;

    strncpy(key, name, MAX_NAME - 1);
    key[MAX_NAME - 1] = '\0';
    hash = hash_of(key);
    group = find(table, key, hash);
    if (group)
        return group;
    if (table->used >= table->room)
        grow(table);
    group = allocate(1, sizeof *group);
    strcpy(group->name, key);
    group->hash = hash;
    bucket = (int)(hash % (unsigned)table->room);
    group->next = table->buckets[bucket];
    table->buckets[bucket] = group;
    table->used++;
    return group;
}

/* ---- First pass: reading ---------------------------------------------------------------- */

struct ledger {
    struct table groups, ids;
    int records, repeated, bad;
};

/* The amount of a record, in cents. */
static int amount_of(const struct options *options, const char *text, int *cents)
{
    int amount;

    if (!parse_amount(text, &amount))
        return 0;
    if (amount < 0 && (options->mask & OPT_BLANKS)) //~ fault //~ cascade
        amount = -amount;
    *cents = amount;
    return 1;
}

static void complain(int number, const char *why)
{
    fprintf(stderr, "tally: line %d: %s\n", number, why);
}

static void add(struct ledger *ledger, const struct options *options, char **fields, int number)
{
    char *key = fields[options->key - 1];
    struct group *group;
    int amount;

    if (!amount_of(options, fields[options->value - 1], &amount)) {
        complain(number, "this is no amount");
        ledger->bad++;
        return;
    }
    if (options->mask & OPT_UNIQUE) {
        struct group *id = find_or_add(&ledger->ids, fields[options->id - 1]);

        if (id->count++ > 0) {
            ledger->repeated++;
            return;
        }
    }
    if (options->mask & OPT_FOLD)
        fold(key);
    group = find_or_add(&ledger->groups, key);
    if (group->count == 0 || amount > group->largest)
        group->largest = amount;
    group->count++;
    group->sum += amount;
    ledger->records++;
}

static int largest_of(int a, int b)
{
    return a > b ? a : b;
}

static void read_ledger(struct ledger *ledger, const struct options *options, FILE *in)
{
    char line[MAX_LINE], *fields[MAX_FIELDS];
    int needed = largest_of(options->id, largest_of(options->key, options->value));
    int number = 0;

    while (fgets(line, sizeof line, in)) {
        int count;

        number++;
        if (number == 1 && (options->mask & OPT_HEADER))
            continue;
        chop(line);
        if (is_blank(line))
            continue;
        count = split(line, options->separator, fields);
        if (count < needed) {
            complain(number, "there are too few fields");
            ledger->bad++;
            continue;
        }
        if (options->mask & OPT_BLANKS)
            for (int i = 0; i < count; i++)
                fields[i] = trim(fields[i]);
        add(ledger, options, fields, number);
    }
}

/* ---- Second pass: choosing and sorting -------------------------------------------------- */

static int compare(const struct options *options, const struct group *a, const struct group *b)
{
    int order = 0;

    if (options->order == BY_COUNT)
        order = (a->count > b->count) - (a->count < b->count);
    else if (options->order == BY_SUM)
        order = (a->sum > b->sum) - (a->sum < b->sum);
    if (order == 0)
        return strcmp(a->name, b->name);
    return options->mask & OPT_REVERSE ? -order : order;
}

/* The groups to be printed, in order. */
static int choose(const struct table *table, const struct options *options, struct group **chosen)
{
    int count = 0;

    for (int i = 0; i < table->room; i++)
        for (struct group *group = table->buckets[i]; group; group = group->next) {
            int at = count;

            if ((options->mask & OPT_MINIMUM) && group->sum < options->minimum)
                continue;
            while (at > 0 && compare(options, group, chosen[at - 1]) < 0) {
                chosen[at] = chosen[at - 1];
                at--;
            }
            chosen[at] = group;
            count++;
        }
    if (options->top > 0 && options->top < count)
        count = options->top;
    return count;
}

/* ---- Third pass: printing --------------------------------------------------------------- */

static void print_amount(int cents)
{
    const char *sign = cents < 0 ? "-" : "";

    if (cents < 0)
        cents = -cents;
    printf(" %1s%6d.%02d", sign, cents / 100, cents % 100); //~ failure: wrong-output
}

static void print_bar(int sum, int largest)
{
    int length = largest > 0 && sum > 0 ? (int)((long)sum * BAR / largest) : 0;

    if (length > 0)
        putchar(' ');
    for (int i = 0; i < length; i++)
        putchar('*');
}

static void print_table(const struct ledger *ledger, const struct options *options, const char *title)
{
    struct group **chosen = allocate((size_t)ledger->groups.used + 1, sizeof *chosen);
    int count = choose(&ledger->groups, options, chosen);
    int width = (int)strlen("total"), records = 0, sum = 0, largest = 0;

    for (int i = 0; i < count; i++) {
        width = largest_of(width, (int)strlen(chosen[i]->name));
        largest = largest_of(largest, chosen[i]->sum);
        records += chosen[i]->count;
        sum += chosen[i]->sum;
    }
    if (title)
        printf("%s\n", title);
    for (int i = 0; i < count; i++) {
        printf("%-*s %4d", width, chosen[i]->name, chosen[i]->count);
        print_amount(chosen[i]->sum);
        print_amount(chosen[i]->largest);
        if (options->mask & OPT_GRAPH)
            print_bar(chosen[i]->sum, largest);
        printf("\n");
    }
    printf("%-*s %4d", width, "total", records);
    print_amount(sum);
    printf("\n");
    if (ledger->repeated > 0)
        printf("%d repeated\n", ledger->repeated);
    free(chosen);
}

int main(int argc, char **argv)
{
    struct options options;
    struct ledger ledger = { .records = 0 };
    int first = parse_options(&options, argc, argv);

    make_table(&ledger.groups);
    make_table(&ledger.ids);
    read_ledger(&ledger, &options, stdin);
    assert(ledger.groups.used <= ledger.records);
    print_table(&ledger, &options, first < argc ? argv[first] : NULL);
    free_table(&ledger.groups);
    free_table(&ledger.ids);
    return ledger.bad > 0;
}
