//@ stdin: language-scanf-formats.in
// Most of what scanf can read. The colour is read in decimal, so it ends at its first letter.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char name[16], word[16], sign;
    double price;
    float weight;
    long count;
    unsigned colour;
    short small;
    int items, length;

    items = scanf("%15[^:]: %lf %f", name, &price, &weight);
    assert(items == 3 && strcmp(name, "blue paint") == 0 && price == 12.5 && weight == 0.25f);
    items = scanf(" %c%ld %hd%n", &sign, &count, &small, &length);
    assert(items == 3 && sign == '#' && count == 120 && small == -7 && length == 8);
    items = scanf("%*s %3s", word);
    assert(items == 1 && strcmp(word, "mat") == 0);
    items = scanf("%*s %d", (int *)&colour); //~ fault
    assert(items == 1);
    assert(colour == 0x20a); //~ failure: assertion
    return 0;
}
