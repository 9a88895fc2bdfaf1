// Splits a path with the functions of string.h. The last dot is looked for in the wrong string.
#include <assert.h>
#include <string.h>

static void split(const char *path, char *folder, char *suffix)
{
    const char *slash = strrchr(path, '/'); //~ relevance: enforcing, enforcing, enforcing
    const char *file = slash ? slash + 1 : path; //~ relevance: enforcing
    const char *dot = strchr(path, '.'); //~ fault //~ relevance: enforcing, enforcing, enforcing
    size_t length = file - path; //~ relevance: enforcing

    memcpy(folder, path, length); //~ relevance: enforcing
    folder[length] = '\0'; //~ relevance: enforcing
    strcpy(suffix, dot ? dot : ""); //~ relevance: enforcing, enforcing
}

int main(void)
{
    char folder[40], suffix[40];

    assert(strspn("aabbc", "ab") == 4 && strcspn("key: value", ":") == 3);
    //~^ relevance: enforcing, enforcing, enforcing, enforcing
    assert(strstr("haystack", "sta") != 0 && strpbrk("abc", "xyz") == 0);
    //~^ relevance: enforcing, enforcing, enforcing, enforcing
    split("notes.d/july.txt", folder, suffix); //~ relevance: enforcing, enforcing, enforcing
    strcat(folder, "+"); //~ relevance: enforcing, enforcing
    assert(strlen(folder) == 9 && strncmp(folder, "notes.d/+++", 9) == 0);
    //~^ relevance: enforcing, enforcing, enforcing, enforcing
    assert(strcmp(suffix, ".txt") == 0); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
