// Designated initialisers of arrays and structs; what is not named is zero. One range is too long.
#include <assert.h>

struct style {
    int size;
    const char *font;
    unsigned char colour[3];
};

int main(void)
{
    struct style title = { .font = "Serif", .colour = { [1] = 255 }, .size = 24 };
    int width[128] = {
        [' '] = 4,
        ['a' ... 'z'] = 7,
        ['i' ... 'm'] = 3, //~ fault
    };
    const char *word = "in mi";
    int total = 0;

    assert(title.colour[0] == 0 && title.colour[1] == 255 && title.size == 24);
    for (const char *p = word; *p; p++)
        total += width[(int)*p];
    assert(total == 24); //~ failure: assertion
    return 0;
}
