// A function hands out its own buffer, which is gone when it returns.
#include <stdio.h>

struct label {
    const char *text;
    int id;
};

static struct label make(int id)
{
    char text[8]; //~ fault
    struct label l;

    snprintf(text, sizeof text, "no%d", id);
    l.text = text;
    l.id = id;
    return l;
}

int main(void)
{
    struct label l = make(12);
    int ok = l.id == 12;

    ok += l.text[0] == 'n'; //~ failure: use-after-free
    return ok == 2 ? 0 : 1;
}
