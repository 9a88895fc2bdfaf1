// Designated initialisers of arrays and structs; what is not named is zero. One range is too long.
#include <assert.h>

struct style {
    int size;
    const char *font;
    unsigned char colour[3];
};

int main(void)
{
    struct style title = { .font = "Serif", .colour = { [1] = 255 }, .size = 24 }; //~ relevance: enforcing
    int width[128] = { //~ relevance: enforcing
        [' '] = 4,
        ['a' ... 'z'] = 7,
        ['i' ... 'm'] = 3, //~ fault
    };
    const char *word = "in mi"; //~ relevance: enforcing
    int total = 0; //~ relevance: enforcing

    assert(title.colour[0] == 0 && title.colour[1] == 255 && title.size == 24);
    for (const char *p = word; *p; p++) //~ relevance: enforcing, enforcing
        total += width[(int)*p]; //~ relevance: enforcing
    assert(total == 24); //~ failure: assertion
    return 0;
}
