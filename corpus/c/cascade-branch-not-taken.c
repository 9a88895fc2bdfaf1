//@ args: open read close open
// Missing assignment in a branch not taken: a file that is closed is marked as closed only if nothing was
// read before. So it seems to be open when it is opened again.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int is_open, reads;

static void obey(const char *word)
{
    if (strcmp(word, "open") == 0) {
        assert(!is_open); //~ failure: assertion
        is_open = 1;
    } else if (strcmp(word, "read") == 0) {
        reads++;
    } else if (strcmp(word, "close") == 0) {
        if (reads == 0) //~ fault //~ cascade
            is_open = 0;
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        obey(argv[i]);
    printf("%d reads\n", reads);
    return 0;
}
