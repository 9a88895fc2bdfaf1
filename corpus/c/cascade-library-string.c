// Through a string that strcpy and strcat write, which are trusted: a path has a folder and a name. The
// separator is added only where it is not needed.
#include <assert.h>
#include <string.h>

static void join(char *path, const char *folder, const char *name)
{
    size_t length = strlen(folder);

    strcpy(path, folder);
    if (length > 0 && folder[length - 1] == '/') //~ fault //~ cascade
        strcat(path, "/");
    strcat(path, name);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

int main(void)
{
    char path[64];

    join(path, "home/ada", "notes.txt");
    assert(strcmp(last_part(path), "notes.txt") == 0); //~ failure: assertion
    return 0;
}
