// A default name is a global array. Renaming frees what was there, whoever it belongs to.
#include <stdlib.h>
#include <string.h>

static char fallback[] = "unnamed";
static char *name = fallback; //~ relevance: enforcing
static int owned;

static void rename_to(const char *text)
{
    char *fresh = malloc(strlen(text) + 1); //~ relevance: enforcing, enforcing

    strcpy(fresh, text); //~ relevance: enforcing, enforcing
    if (!owned) //~ fault
        free(name); //~ failure: invalid-free
    name = fresh;
    owned = 1;
}

int main(void)
{
    rename_to("first"); //~ relevance: enforcing
    rename_to("second");
    return strcmp(name, "second");
}
