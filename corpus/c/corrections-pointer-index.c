/* Another index leads to another string, in another object: that is no failure. */
//@ expect: corrections-pointer-index.out
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *words[3];
    int i, length;

    words[0] = "a";
    words[1] = "four";
    words[2] = "seven";
    i = 1; //~ fault //~ changes
    length = (int)strlen(words[i]); //~ changes
    printf("%d\n", length); //~ failure: wrong-output //~ changes
    return 0;
}
