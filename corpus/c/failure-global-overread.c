// The name of a month; months are counted from one, the table from zero.
#include <stdio.h>

static const char *const names[12] = {
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
};

static const char *name_of(int month)
{
    int index = month; //~ fault //~ relevance: enforcing

    return names[index]; //~ failure: out-of-bounds //~ relevance: enforcing
}

int main(void)
{
    int last = 12; //~ relevance: enforcing

    puts(name_of(1)); //~ relevance: enforcing
    puts(name_of(last)); //~ relevance: enforcing
    return 0;
}
