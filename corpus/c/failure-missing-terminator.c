// strncpy does not terminate a text that fills its buffer.
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char *const months[] = { "May", "June" };
    size_t total = 0;

    for (int i = 0; i < 2; i++) {
        char code[4] = "...";

        strncpy(code, months[i], sizeof code); //~ fault
        total += strlen(code); //~ failure: out-of-bounds
    }
    printf("%zu\n", total);
    return 0;
}
