// Sums the fields of a line with strtok. The second line is split at the separator of the first.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int sum_fields(char *line, const char *separators)
{
    int sum = 0; //~ relevance: enforcing

    for (char *field = strtok(line, separators); field; field = strtok(NULL, separators))
    //~^ relevance: enforcing, enforcing, enforcing, enforcing, enforcing, enforcing
        sum += atoi(field); //~ relevance: enforcing, enforcing
    return sum; //~ relevance: enforcing
}

int main(void)
{
    char first[] = ",,1,2,,3", second[] = "10;20;12"; //~ relevance: enforcing, enforcing
    const char *separators = ","; //~ relevance: enforcing
    int sum = sum_fields(first, separators); //~ relevance: enforcing, enforcing, enforcing

    assert(sum == 6);
    assert(strcmp(first + 2, "1") == 0); //~ relevance: enforcing, enforcing
    sum = sum_fields(second, separators); //~ fault //~ relevance: enforcing, enforcing, enforcing
    assert(sum == 42); //~ failure: assertion
    return 0;
}
