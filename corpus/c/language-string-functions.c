// Splits a path with the functions of string.h. The last dot is looked for in the wrong string.
#include <assert.h>
#include <string.h>

static void split(const char *path, char *folder, char *suffix)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const char *dot = strchr(path, '.'); //~ fault
    size_t length = file - path;

    memcpy(folder, path, length);
    folder[length] = '\0';
    strcpy(suffix, dot ? dot : "");
}

int main(void)
{
    char folder[40], suffix[40];

    assert(strspn("aabbc", "ab") == 4 && strcspn("key: value", ":") == 3);
    assert(strstr("haystack", "sta") != 0 && strpbrk("abc", "xyz") == 0);
    split("notes.d/july.txt", folder, suffix);
    strcat(folder, "+");
    assert(strlen(folder) == 9 && strncmp(folder, "notes.d/+++", 9) == 0);
    assert(strcmp(suffix, ".txt") == 0); //~ failure: assertion
    return 0;
}
