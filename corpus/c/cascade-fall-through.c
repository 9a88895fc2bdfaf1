//@ args: read
// Missing break: who may read falls through to those who may write.
#include <assert.h>
#include <string.h>

enum right { NONE, READ, WRITE };

static enum right right_of(const char *word)
{
    if (strcmp(word, "read") == 0)
        return READ;
    if (strcmp(word, "write") == 0)
        return WRITE;
    return NONE;
}

static int modes(enum right right)
{
    int bits = 0;

    switch (right) { //~ fault //~ cascade
    case READ:
        bits |= 4;
    case WRITE:
        bits |= 2;
        break;
    case NONE:
        break;
    }
    return bits;
}

int main(int argc, char **argv)
{
    enum right right = right_of(argc > 1 ? argv[1] : "");
    int bits = modes(right);

    assert(right == WRITE || (bits & 2) == 0); //~ failure: assertion
    return 0;
}
