// How a program starts and ends, its environment, and signals that it sends to itself.
//
// Programs that use `environ` begin with `__whydunit_begin`. Those that use `atexit` end with `__whydunit_end`, if `main`
// returns. `_exit` is a function of the world; `abort` is a failure.

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

char **environ, **__environ, **_environ;
char *program_invocation_name, *program_invocation_short_name;

struct handler {
    void (*function)(void);
    void (*with_status)(int, void *);
    void *context;
    struct handler *older;
};

static struct handler *at_exit, *at_quick_exit_;

static int add_handler(struct handler **list, struct handler it) {
    struct handler *handler = malloc(sizeof *handler);
    if (handler == NULL) return -1;
    *handler = it;
    handler->older = *list;
    *list = handler;
    return 0;
}

// A handler may add handlers, which run next.
static void run_handlers(struct handler **list, int status) {
    while (*list != NULL) {
        struct handler it = **list;
        free(*list);
        *list = it.older;
        if (it.function != NULL) it.function();
        else it.with_status(status, it.context);
    }
}

int atexit(void (*function)(void)) { return add_handler(&at_exit, (struct handler){.function = function}); }

int on_exit(void (*function)(int, void *), void *context) {
    return add_handler(&at_exit, (struct handler){.with_status = function, .context = context});
}

int at_quick_exit(void (*function)(void)) {
    return add_handler(&at_quick_exit_, (struct handler){.function = function});
}

void exit(int status) {
    run_handlers(&at_exit, status);
    _exit(status);
}

void quick_exit(int status) {
    run_handlers(&at_quick_exit_, status);
    _exit(status);
}

void _Exit(int status) { _exit(status); }

void __whydunit_begin(int count, char **arguments, char **environment) {
    environ = __environ = _environ = environment;
    if (count > 0) program_invocation_name = program_invocation_short_name = arguments[0];
}

void __whydunit_end(int status) { run_handlers(&at_exit, status); }

// The environment.

static size_t length(const char *s) {
    size_t n = 0;
    while (s[n] != '\0') n++;
    return n;
}

char **__whydunit_environment(void);

// The list, also if the program began without `__whydunit_begin`.
static char **variables(void) {
    static int asked;
    if (environ == NULL && !asked) environ = __environ = _environ = __whydunit_environment();
    asked = 1;
    return environ;
}

// The place of `name=…`, or the end of the list. The name ends at its zero byte or `=`.
static char **find(const char *name) {
    char **entry = variables();
    for (; entry != NULL && *entry != NULL; entry++) {
        size_t i = 0;
        while (name[i] != '\0' && name[i] != '=' && name[i] == (*entry)[i]) i++;
        if ((name[i] == '\0' || name[i] == '=') && (*entry)[i] == '=') break;
    }
    return entry;
}

static char *value_of(const char *name) {
    char **entry = find(name);
    if (entry == NULL || *entry == NULL) return NULL;
    char *p = *entry;
    while (*p != '=') p++;
    return p + 1;
}

char *getenv(const char *name) { return value_of(name); }

char *secure_getenv(const char *name) { return value_of(name); }

// Puts `name=…` into a new list: the old one has no room.
static int put(char *text) {
    char **entry = find(text);
    if (entry != NULL && *entry != NULL) {
        *entry = text;
        return 0;
    }
    size_t count = entry == NULL ? 0 : (size_t)(entry - environ);
    char **list = malloc((count + 2) * sizeof *list);
    if (list == NULL) return -1;
    for (size_t i = 0; i < count; i++) list[i] = environ[i];
    list[count] = text;
    list[count + 1] = NULL;
    environ = __environ = _environ = list;
    return 0;
}

static int drop(const char *name) {
    char **entry = find(name);
    if (entry == NULL) return 0;
    for (; *entry != NULL; entry++) *entry = entry[1];
    return 0;
}

static int valid(const char *name) {
    if (name == NULL || *name == '\0') return 0;
    for (; *name != '\0'; name++)
        if (*name == '=') return 0;
    return 1;
}

int putenv(char *text) {
    for (const char *p = text; *p != '\0'; p++)
        if (*p == '=') return put(text);
    return drop(text);
}

int setenv(const char *name, const char *value, int overwrite) {
    if (!valid(name)) {
        errno = EINVAL;
        return -1;
    }
    if (!overwrite && value_of(name) != NULL) return 0;
    size_t n = length(name), m = length(value);
    char *text = malloc(n + m + 2);
    if (text == NULL) return -1;
    __builtin_memcpy(text, name, n);
    text[n] = '=';
    __builtin_memcpy(text + n + 1, value, m + 1);
    return put(text);
}

int unsetenv(const char *name) {
    if (valid(name)) return drop(name);
    errno = EINVAL;
    return -1;
}

int clearenv(void) {
    variables();
    environ = __environ = _environ = NULL;
    return 0;
}

// Signals come only from the program itself.

static sighandler_t actions[NSIG];

static int is_signal(int number) { return number > 0 && number < NSIG; }

sighandler_t signal(int number, sighandler_t action) {
    if (!is_signal(number)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    sighandler_t old = actions[number];
    actions[number] = action;
    return old;
}

int sigaction(int number, const struct sigaction *restrict new, struct sigaction *restrict old) {
    if (!is_signal(number)) {
        errno = EINVAL;
        return -1;
    }
    if (old != NULL) {
        __builtin_memset(old, 0, sizeof *old);
        old->sa_handler = actions[number];
    }
    if (new != NULL) actions[number] = new->sa_handler;
    return 0;
}

int raise(int number) {
    if (!is_signal(number)) {
        errno = EINVAL;
        return -1;
    }
    if (actions[number] == SIG_IGN) return 0;
    if (actions[number] != SIG_DFL) {
        actions[number](number);
        return 0;
    }
    if (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT) return 0;
    if (number == SIGABRT) abort();
    _exit(128 + number);
}

int sigemptyset(sigset_t *set) {
    __builtin_memset(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set) {
    __builtin_memset(set, 255, sizeof *set);
    return 0;
}

int sigprocmask(int how, const sigset_t *restrict new, sigset_t *restrict old) {
    (void)how, (void)new;
    if (old != NULL) __builtin_memset(old, 0, sizeof *old);
    return 0;
}
