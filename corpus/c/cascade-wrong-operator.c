//@ args: 7 20 5 14
// Wrong operator: the part of two lines of text that overlaps is measured by a sum.
#include <assert.h>
#include <stdlib.h>

struct span {
    int begin, end;
};

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

static int overlap(struct span a, struct span b)
{
    int begin = larger(a.begin, b.begin);
    int end = smaller(a.end, b.end);
    int length = 0;

    if (begin < end)
        length = end + begin; //~ fault //~ cascade
    return length;
}

int main(int argc, char **argv)
{
    struct span first, second;
    int common;

    if (argc != 5)
        return 1;
    first.begin = atoi(argv[1]);
    first.end = atoi(argv[2]);
    second.begin = atoi(argv[3]);
    second.end = atoi(argv[4]);
    common = overlap(first, second);
    assert(common <= first.end - first.begin); //~ failure: assertion
    return 0;
}
