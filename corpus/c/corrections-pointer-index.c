/* Another index leads to another string, in another object: that is no failure. */
//@ expect: corrections-pointer-index.out
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *words[3];
    int i, length;

    words[0] = "a";
    words[1] = "four"; //~ corrections: alone
    words[2] = "seven";
    i = 1; //~ fault //~ corrections: alone
    length = (int)strlen(words[i]); //~ corrections: alone
    printf("%d\n", length); //~ failure: wrong-output //~ corrections: alone
    return 0;
}
