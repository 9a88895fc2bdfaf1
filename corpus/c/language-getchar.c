//@ stdin: language-getchar.in
// Counts lines, words and characters of its input. A word that follows a line's end is missed.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c, previous = '\n';
    int lines = 0, words = 0, characters = 0;

    while ((c = getchar()) != EOF) {
        characters++;
        if (c == '\n')
            lines++;
        if (c != ' ' && c != '\n' && previous == ' ') //~ fault
            words++;
        previous = c;
    }
    assert(lines == 4);
    assert(characters == 38);
    assert(words == 9); //~ failure: assertion
    return 0;
}
