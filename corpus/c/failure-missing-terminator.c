// strncpy does not terminate a text that fills its buffer.
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char *const months[] = { "May", "June" };
    size_t total = 0; //~ relevance: irrelevant

    for (int i = 0; i < 2; i++) { //~ relevance: enforcing, enforcing
        char code[4] = "..."; //~ relevance: irrelevant

        strncpy(code, months[i], sizeof code); //~ fault //~ relevance: enforcing, enforcing, enforcing
        total += strlen(code); //~ failure: out-of-bounds //~ relevance: enforcing
    }
    printf("%zu\n", total);
    return 0;
}
