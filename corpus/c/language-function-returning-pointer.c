// Declarators: functions that return pointers to functions and to arrays.
#include <assert.h>

static int up(int n) { return n + 1; } //~ relevance: enforcing
static int down(int n) { return n - 1; } //~ relevance: enforcing

static int rows[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; //~ relevance: enforcing, enforcing

static int (*direction(int sign))(int)
{
    return sign > 0 ? down : up; //~ fault //~ relevance: enforcing
}

static int (*row(int n))[3]
{
    return &rows[n]; //~ relevance: enforcing
}

static int apply_twice(int (*f)(int), int n)
{
    return (*f)((**f)(n)); //~ relevance: enforcing, enforcing, enforcing
}

int main(void)
{
    assert((*row(1))[2] == 6 && sizeof *row(0) == 12); //~ relevance: enforcing
    assert(apply_twice(direction(0), 5) != 5); //~ relevance: enforcing, enforcing, enforcing
    assert(apply_twice(direction(1), (*row(0))[1]) == 4); //~ failure: assertion
    //~^ relevance: enforcing, enforcing, enforcing, enforcing
    return 0;
}
