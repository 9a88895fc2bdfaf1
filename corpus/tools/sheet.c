//@ stdin: sheet.in
// sheet: a work sheet of sums. Each line gives a name to the value of an expression, prints one, or checks
// that two are equal. Numbers are whole.
//
//     rent = 12 * 830
//     print rent / 52
//     check rent = 9960
//     # a comment
//
// Operators of one level group from left to right: 9 - 4 - 3 is 2. The right operand is read with the wrong
// level, so they group from right to left. Sums and products do not care, a difference does.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 128, MAX_NAME = 16, MAX_NAMES = 64 };

/* ---- Tokens ----------------------------------------------------------------------------- */

enum kind { NUMBER, NAME, SIGN, END };

struct token {
    enum kind kind;
    int number;
    char name[MAX_NAME];
    char sign;
};

struct reader {
    const char *text;
    struct token token;
    int line;
};

static void stop(const struct reader *reader, const char *why)
{
    fprintf(stderr, "sheet: line %d: %s\n", reader->line, why);
    exit(1);
}

/* Reads the next token. */
static void advance(struct reader *reader)
{
    struct token *token = &reader->token;

    while (*reader->text == ' ' || *reader->text == '\t')
        reader->text++;
    if (isdigit((unsigned char)*reader->text)) {
        token->kind = NUMBER;
        token->number = 0;
        while (isdigit((unsigned char)*reader->text))
            token->number = token->number * 10 + (*reader->text++ - '0');
    } else if (isalpha((unsigned char)*reader->text)) {
        int length = 0;

        token->kind = NAME;
        while (isalnum((unsigned char)*reader->text)) {
            if (length < MAX_NAME - 1)
                token->name[length++] = *reader->text;
            reader->text++;
        }
        token->name[length] = '\0';
    } else if (*reader->text == '\0' || *reader->text == '\n' || *reader->text == '#') {
        token->kind = END;
    } else {
        token->kind = SIGN;
        token->sign = *reader->text++;
    }
}

static int is_sign(const struct reader *reader, char sign)
{
    return reader->token.kind == SIGN && reader->token.sign == sign;
}

static void expect(struct reader *reader, char sign)
{
    if (!is_sign(reader, sign))
        stop(reader, "another sign is expected here");
    advance(reader);
}

/* ---- Names: a sorted table -------------------------------------------------------------- */

struct entry {
    char name[MAX_NAME];
    int value;
};

static struct entry entries[MAX_NAMES];
static int used;

/* Where a name is, or where it belongs. */
static int place_of(const char *name)
{
    int low = 0, high = used;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (strcmp(entries[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_at(int place, const char *name)
{
    return place < used && strcmp(entries[place].name, name) == 0;
}

static void set(const struct reader *reader, const char *name, int value)
{
    int place = place_of(name);

    if (!is_at(place, name)) {
        if (used == MAX_NAMES)
            stop(reader, "there are too many names");
        for (int i = used; i > place; i--)
            entries[i] = entries[i - 1];
        strcpy(entries[place].name, name);
        used++;
    }
    entries[place].value = value;
}

static int get(const struct reader *reader, const char *name)
{
    int place = place_of(name);

    if (!is_at(place, name))
        stop(reader, "this name has no value yet");
    return entries[place].value;
}

/* ---- Expressions ------------------------------------------------------------------------ */

/* How tightly an operator binds; 0 if it is none. */
static int level_of(const struct token *token)
{
    if (token->kind != SIGN)
        return 0;
    switch (token->sign) {
    case '<':
    case '>':
        return 1;
    case '+':
    case '-':
        return 2;
    case '*':
    case '/':
    case '%':
        return 3;
    default:
        return 0;
    }
}

static int apply(const struct reader *reader, char sign, int left, int right)
{
    if ((sign == '/' || sign == '%') && right == 0)
        stop(reader, "this is a division by zero");
    switch (sign) {
    case '<': /* the smaller one */
        return left < right ? left : right;
    case '>': /* the larger one */
        return left > right ? left : right;
    case '+':
        return left + right;
    case '-':
        return left - right;
    case '*':
        return left * right;
    case '/':
        return left / right;
    default:
        return left % right;
    }
}

static int expression(struct reader *reader, int level);

static int operand(struct reader *reader)
{
    int value = 0;

    if (is_sign(reader, '-')) {
        advance(reader);
        return -operand(reader);
    }
    if (is_sign(reader, '(')) {
        advance(reader);
        value = expression(reader, 1);
        expect(reader, ')');
        return value;
    }
    if (reader->token.kind == NUMBER)
        value = reader->token.number;
    else if (reader->token.kind == NAME)
        value = get(reader, reader->token.name);
    else
        stop(reader, "a number or a name is expected here");
    advance(reader);
    return value;
}

/* An expression of operators of at least this level. */
static int expression(struct reader *reader, int level)
{
    int value = operand(reader);

    for (;;) {
        int found = level_of(&reader->token);
        char sign = reader->token.sign;
        int right;

        if (found == 0 || found < level)
            return value;
        advance(reader);
        right = expression(reader, found); //~ fault //~ cascade
        value = apply(reader, sign, value, right);
    }
}

/* ---- Lines ------------------------------------------------------------------------------ */

static void obey(struct reader *reader)
{
    char name[MAX_NAME];

    if (reader->token.kind == END)
        return;
    if (reader->token.kind != NAME)
        stop(reader, "a line begins with a name");
    strcpy(name, reader->token.name);
    advance(reader);
    if (strcmp(name, "print") == 0) {
        printf("%d\n", expression(reader, 1));
    } else if (strcmp(name, "check") == 0) {
        int left = expression(reader, 1), right;

        expect(reader, '=');
        right = expression(reader, 1);
        assert(left == right); //~ failure: assertion
    } else {
        expect(reader, '=');
        set(reader, name, expression(reader, 1));
    }
    if (reader->token.kind != END)
        stop(reader, "the line should end here");
}

int main(void)
{
    char line[MAX_LINE];
    struct reader reader = { .line = 0 };

    while (fgets(line, sizeof line, stdin)) {
        reader.line++;
        reader.text = line;
        advance(&reader);
        obey(&reader);
    }
    return 0;
}
