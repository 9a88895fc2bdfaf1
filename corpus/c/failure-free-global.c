// A default name is a global array. Renaming frees what was there, whoever it belongs to.
#include <stdlib.h>
#include <string.h>

static char fallback[] = "unnamed";
static char *name = fallback;
static int owned;

static void rename_to(const char *text)
{
    char *fresh = malloc(strlen(text) + 1);

    strcpy(fresh, text);
    if (!owned) //~ fault
        free(name); //~ failure: invalid-free
    name = fresh;
    owned = 1;
}

int main(void)
{
    rename_to("first");
    rename_to("second");
    return strcmp(name, "second");
}
