// err.h and error.h: messages with the name of the program.

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned error_message_count;

static void say(const char *format, va_list arguments, int code) {
    fprintf(stderr, "%s: ", program_invocation_short_name != NULL ? program_invocation_short_name : "program");
    if (format != NULL) vfprintf(stderr, format, arguments);
    if (code != 0) fprintf(stderr, format != NULL ? ": %s" : "%s", strerror(code));
    fprintf(stderr, "\n");
}

void vwarn(const char *format, va_list arguments) { say(format, arguments, errno); }
void vwarnx(const char *format, va_list arguments) { say(format, arguments, 0); }

void verr(int status, const char *format, va_list arguments) {
    say(format, arguments, errno);
    exit(status);
}

void verrx(int status, const char *format, va_list arguments) {
    say(format, arguments, 0);
    exit(status);
}

#define SAY(code)                     \
    va_list arguments;                \
    va_start(arguments, format);      \
    say(format, arguments, code);     \
    va_end(arguments)

void warn(const char *format, ...) { SAY(errno); }
void warnx(const char *format, ...) { SAY(0); }

void err(int status, const char *format, ...) {
    SAY(errno);
    exit(status);
}

void errx(int status, const char *format, ...) {
    SAY(0);
    exit(status);
}

void error(int status, int code, const char *format, ...) {
    SAY(code);
    error_message_count++;
    if (status != 0) exit(status);
}
