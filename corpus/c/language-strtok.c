// Sums the fields of a line with strtok. The second line is split at the separator of the first.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int sum_fields(char *line, const char *separators)
{
    int sum = 0;

    for (char *field = strtok(line, separators); field; field = strtok(NULL, separators))
        sum += atoi(field);
    return sum;
}

int main(void)
{
    char first[] = ",,1,2,,3", second[] = "10;20;12";
    const char *separators = ",";
    int sum = sum_fields(first, separators);

    assert(sum == 6);
    assert(strcmp(first + 2, "1") == 0);
    sum = sum_fields(second, separators); //~ fault
    assert(sum == 42); //~ failure: assertion
    return 0;
}
