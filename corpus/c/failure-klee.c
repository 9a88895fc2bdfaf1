//@ search
// The days of a month as one formula; a symbolic month shows the one that it gets wrong.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

void klee_make_symbolic(void *address, size_t size, const char *name);
void klee_assume(uintptr_t condition);

static int days(int month)
{
    if (month == 2)
        return 28;
    if (month < 10) //~ fault
        return month % 2 ? 31 : 30; //~ relevance: enforcing
    return month % 2 ? 30 : 31;
}

int main(void)
{
    static const int table[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }; //~ relevance: enforcing
    int month;

    klee_make_symbolic(&month, sizeof month, "month");
    klee_assume(month >= 1);
    klee_assume(month <= 12);
    assert(days(month) == table[month - 1]); //~ failure: assertion //~ relevance: enforcing
    return 0;
}
