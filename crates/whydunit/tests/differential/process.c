// What happens before and after `main`, and a `setjmp` that nobody jumps to.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

extern char **environ;
static int order[4], n;
static jmp_buf here;

__attribute__((constructor(200))) static void second(void) { order[n++] = 2; }
__attribute__((constructor(101))) static void first(void) { order[n++] = 1 + (environ == NULL); }
__attribute__((destructor)) static void last(void) { printf("last\n"); }
__attribute__((destructor(101))) static void very_last(void) { printf("very last\n"); }

static void third(void) { printf("third\n"); }
static void fourth(void) { printf("fourth\n"); atexit(third); }

int main(int argc, char **argv, char **environment) {
    atexit(third);
    atexit(fourth);
    printf("%d %d, %d %d\n", argc, argv[argc] == NULL, order[0], order[1]);
    printf("%d %s\n", environ == environment, getenv("HOME") ? "home" : "no home");
    setenv("HOME", "/home", 1);
    printf("%s %s\n", getenv("HOME"), environ[0]);
    if (setjmp(here) != 0) return 1;
    return 3;
}
