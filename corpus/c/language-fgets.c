//@ stdin: language-fgets.in
// Reads `key value` lines with fgets. A comment line replaces the best value, too.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[32], best_name[16] = "";
    int best = 0;

    while (fgets(line, sizeof line, stdin)) {
        char name[16];
        int value;

        line[strcspn(line, "\n")] = '\0';
        if (line[0] == ';') //~ fault
            continue;
        if (sscanf(line, "%15s %d", name, &value) == 2 && value > best) {
            best = value;
            strcpy(best_name, name);
        }
    }
    assert(best > 0);
    assert(strcmp(best_name, "oak") == 0); //~ failure: assertion
    return 0;
}
