// The functions of time.h that compute; the time itself comes from the world. The time zone is UTC.

#define _GNU_SOURCE
#include <stddef.h>
#include <time.h>

char *tzname[2] = {(char[]){"UTC"}, (char[]){"UTC"}};
long timezone;
int daylight;

static const char *const DAYS[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const MONTHS[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

void tzset(void) {}

double difftime(time_t a, time_t b) { return (double)a - (double)b; }

static long divide(long a, long b) { return a / b - (a % b < 0); }

static int is_leap(long year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int days_of_month(int month, long year) {
    static const int DAYS_OF[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return DAYS_OF[month] + (month == 1 && is_leap(year));
}

// The days from 1970-01-01 to the first day of the year.
static long days_before(long year) {
    long y = year - 1;
    return (year - 1970) * 365 + (divide(y, 4) - 492) - (divide(y, 100) - 19) + (divide(y, 400) - 4);
}

static struct tm *split(time_t time, struct tm *to) {
    long days = divide(time, 86400), rest = time - days * 86400;
    // A guess that is right or one too large.
    long year = 1970 + divide(days, 365);
    while (days_before(year) > days) year -= 1 + (days_before(year) - days) / 366;
    while (days_before(year + 1) <= days) year++;
    int day = (int)(days - days_before(year)), month = 0;
    *to = (struct tm){.tm_year = (int)(year - 1900), .tm_yday = day};
    while (day >= days_of_month(month, year)) day -= days_of_month(month++, year);
    to->tm_mon = month;
    to->tm_mday = day + 1;
    to->tm_wday = (int)(days + 4 - divide(days + 4, 7) * 7);
    to->tm_hour = (int)(rest / 3600);
    to->tm_min = (int)(rest % 3600 / 60);
    to->tm_sec = (int)(rest % 60);
    to->tm_zone = "UTC";
    return to;
}

static time_t join(struct tm *tm) {
    long year = tm->tm_year + 1900L + divide(tm->tm_mon, 12);
    int month = (int)(tm->tm_mon - divide(tm->tm_mon, 12) * 12);
    long days = days_before(year) + tm->tm_mday - 1;
    for (int m = 0; m < month; m++) days += days_of_month(m, year);
    time_t time = days * 86400 + tm->tm_hour * 3600L + tm->tm_min * 60L + tm->tm_sec;
    split(time, tm);
    return time;
}

static struct tm shared;

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict to) {
    split(*time, to);
    to->tm_zone = "GMT";
    return to;
}

struct tm *gmtime(const time_t *time) {
    split(*time, &shared);
    shared.tm_zone = "GMT";
    return &shared;
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict to) { return split(*time, to); }
struct tm *localtime(const time_t *time) { return split(*time, &shared); }
time_t mktime(struct tm *tm) { return join(tm); }
time_t timelocal(struct tm *tm) { return join(tm); }

time_t timegm(struct tm *tm) {
    time_t time = join(tm);
    tm->tm_zone = "GMT";
    return time;
}

// A text that grows in a buffer; it is complete if it fits.
struct text {
    char *buffer;
    size_t size, length;
};

static void add(struct text *to, char c) {
    if (to->length < to->size) to->buffer[to->length] = c;
    to->length++;
}

static void add_text(struct text *to, const char *s, size_t most) {
    for (size_t i = 0; i < most && s[i] != '\0'; i++) add(to, s[i]);
}

static void add_number(struct text *to, long n, int width, char pad) {
    char digits[24];
    int count = 0;
    unsigned long rest = n < 0 ? 0ul - (unsigned long)n : (unsigned long)n;
    do digits[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (n < 0) {
        add(to, '-');
        width--;
    }
    for (; width > count; width--)
        if (pad != '\0') add(to, pad);
    while (count > 0) add(to, digits[--count]);
}

static int index_in(int n, int count) { return n >= 0 && n < count; }

static const char *day_name(const struct tm *tm) { return index_in(tm->tm_wday, 7) ? DAYS[tm->tm_wday] : "?"; }
static const char *month_name(const struct tm *tm) { return index_in(tm->tm_mon, 12) ? MONTHS[tm->tm_mon] : "?"; }

// The year and the week of ISO 8601: weeks begin on Monday, the first has four days of its year.
static long iso_week(const struct tm *tm, long *year) {
    long day = (tm->tm_wday + 6) % 7, week = (tm->tm_yday - day + 10) / 7;
    *year = tm->tm_year + 1900L;
    if (week < 1) {
        --*year;
        return (tm->tm_yday + 365 + is_leap(*year) - day + 10) / 7;
    }
    if (week == 53 && tm->tm_yday - day + 3 >= 365 + is_leap(*year)) {
        ++*year;
        return 1;
    }
    return week;
}

static void format(struct text *to, const char *f, const struct tm *tm) {
    long year = tm->tm_year + 1900L, iso_year, week = iso_week(tm, &iso_year);
    int hour12 = tm->tm_hour % 12 == 0 ? 12 : tm->tm_hour % 12;
    for (; *f != '\0'; f++) {
        if (*f != '%') {
            add(to, *f);
            continue;
        }
        char pad = '0', space = ' ';
        f++;
        if (*f == '-') pad = space = '\0', f++;
        else if (*f == '_') pad = ' ', f++;
        else if (*f == '0') space = '0', f++;
        if (*f == 'E' || *f == 'O') f++;
        switch (*f) {
        case 'a': add_text(to, day_name(tm), day_name(tm)[0] == '?' ? 1 : 3); break;
        case 'A': add_text(to, day_name(tm), 16); break;
        case 'b':
        case 'h': add_text(to, month_name(tm), month_name(tm)[0] == '?' ? 1 : 3); break;
        case 'B': add_text(to, month_name(tm), 16); break;
        case 'c': format(to, "%a %b %e %H:%M:%S %Y", tm); break;
        case 'C': add_number(to, divide(year, 100), 2, pad); break;
        case 'd': add_number(to, tm->tm_mday, 2, pad); break;
        case 'D':
        case 'x': format(to, "%m/%d/%y", tm); break;
        case 'e': add_number(to, tm->tm_mday, 2, space); break;
        case 'F': format(to, "%Y-%m-%d", tm); break;
        case 'g': add_number(to, iso_year - divide(iso_year, 100) * 100, 2, pad); break;
        case 'G': add_number(to, iso_year, 1, pad); break;
        case 'H': add_number(to, tm->tm_hour, 2, pad); break;
        case 'I': add_number(to, hour12, 2, pad); break;
        case 'j': add_number(to, tm->tm_yday + 1, 3, pad); break;
        case 'k': add_number(to, tm->tm_hour, 2, space); break;
        case 'l': add_number(to, hour12, 2, space); break;
        case 'm': add_number(to, tm->tm_mon + 1, 2, pad); break;
        case 'M': add_number(to, tm->tm_min, 2, pad); break;
        case 'n': add(to, '\n'); break;
        case 'p': add_text(to, tm->tm_hour < 12 ? "AM" : "PM", 2); break;
        case 'P': add_text(to, tm->tm_hour < 12 ? "am" : "pm", 2); break;
        case 'r': format(to, "%I:%M:%S %p", tm); break;
        case 'R': format(to, "%H:%M", tm); break;
        case 's': {
            struct tm copy = *tm;
            add_number(to, join(&copy), 1, pad);
            break;
        }
        case 'S': add_number(to, tm->tm_sec, 2, pad); break;
        case 't': add(to, '\t'); break;
        case 'T':
        case 'X': format(to, "%H:%M:%S", tm); break;
        case 'u': add_number(to, tm->tm_wday == 0 ? 7 : tm->tm_wday, 1, pad); break;
        case 'U': add_number(to, (tm->tm_yday - tm->tm_wday + 7) / 7, 2, pad); break;
        case 'V': add_number(to, week, 2, pad); break;
        case 'w': add_number(to, tm->tm_wday, 1, pad); break;
        case 'W': add_number(to, (tm->tm_yday - (tm->tm_wday + 6) % 7 + 7) / 7, 2, pad); break;
        case 'y': add_number(to, year - divide(year, 100) * 100, 2, pad); break;
        case 'Y': add_number(to, year, 1, pad); break;
        case 'z': add_text(to, "+0000", 5); break;
        case 'Z': add_text(to, tm->tm_zone != NULL ? tm->tm_zone : "", 64); break;
        case '%': add(to, '%'); break;
        case '\0': return;
        default:
            add(to, '%');
            add(to, *f);
        }
    }
}

size_t strftime(char *restrict buffer, size_t size, const char *restrict f, const struct tm *restrict tm) {
    struct text text = {buffer, size, 0};
    format(&text, f, tm);
    if (text.length >= size) return 0;
    buffer[text.length] = '\0';
    return text.length;
}

static char *as_text(const struct tm *tm, char *buffer, size_t size) {
    struct text text = {buffer, size, 0};
    format(&text, "%a %b ", tm);
    add_number(&text, tm->tm_mday, 2, ' ');
    format(&text, " %H:%M:%S %Y\n", tm);
    add(&text, '\0');
    return buffer;
}

static char line[128];

char *asctime(const struct tm *tm) { return as_text(tm, line, sizeof line); }
char *asctime_r(const struct tm *restrict tm, char *restrict buffer) { return as_text(tm, buffer, 26); }

char *ctime(const time_t *time) {
    split(*time, &shared);
    return as_text(&shared, line, sizeof line);
}

char *ctime_r(const time_t *restrict time, char *restrict buffer) {
    struct tm tm;
    return as_text(split(*time, &tm), buffer, 26);
}
