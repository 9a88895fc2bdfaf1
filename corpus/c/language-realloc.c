// What realloc moves keeps its values. A table that grows loses none of them, but it is read in the
// wrong order. free and realloc take NULL; what puts prints must be there.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *spare = NULL; //~ relevance: enforcing
    int *marks = NULL; //~ relevance: enforcing
    const char *title = "marks"; //~ relevance: enforcing

    marks = realloc(marks, 2 * sizeof *marks); //~ relevance: enforcing
    marks[0] = 7; //~ relevance: enforcing
    marks[1] = 9; //~ relevance: irrelevant
    marks = realloc(marks, 3 * sizeof *marks); //~ relevance: enforcing
    marks[2] = 4; //~ relevance: irrelevant
    free(spare);
    puts(title);
    assert(marks[0] == 9); //~ fault //~ failure: assertion
    free(marks);
    return 0;
}
