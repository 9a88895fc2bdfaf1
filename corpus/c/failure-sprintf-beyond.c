// A time as text. Hours above 99 take more room than was planned.
#include <stdio.h>
#include <stdlib.h>

static char *clock_text(int seconds)
{
    char *text = malloc(9);

    sprintf(text, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    //~^ failure: out-of-bounds
    return text;
}

int main(void)
{
    int days = 5;
    char *noon = clock_text(12 * 3600);
    char *later = clock_text(days * 86400); //~ fault

    printf("%s %s\n", noon, later);
    free(noon);
    free(later);
    return 0;
}
