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
    l.text = text; //~ relevance: enforcing
    l.id = id; //~ relevance: irrelevant
    return l; //~ relevance: enforcing
}

int main(void)
{
    struct label l = make(12); //~ relevance: enforcing
    int ok = l.id == 12; //~ relevance: irrelevant

    ok += l.text[0] == 'n'; //~ failure: use-after-free
    return ok == 2 ? 0 : 1;
}
