//@ stdin: language-getchar.in
// Counts lines, words and characters of its input. A word that follows a line's end is missed.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c, previous = '\n'; //~ relevance: enforcing
    int lines = 0, words = 0, characters = 0; //~ relevance: enforcing, enforcing, enforcing

    while ((c = getchar()) != EOF) { //~ relevance: enforcing
        characters++; //~ relevance: enforcing
        if (c == '\n')
            lines++; //~ relevance: enforcing
        if (c != ' ' && c != '\n' && previous == ' ') //~ fault
            words++; //~ relevance: enforcing
        previous = c; //~ relevance: enforcing
    }
    assert(lines == 4);
    assert(characters == 38);
    assert(words == 9); //~ failure: assertion
    return 0;
}
