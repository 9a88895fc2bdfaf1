// The size of a picture in bytes is computed as an int.
#include <stdio.h>
#include <stdlib.h>

struct picture {
    int width, height, depth;
};

static size_t bytes(const struct picture *p)
{
    int row = p->width * p->depth;
    int size = row * p->height; //~ fault
    //~^ failure: signed-overflow

    return size;
}

int main(void)
{
    struct picture small = { 640, 480, 3 };
    struct picture large = { 40000, 30000, 4 };

    printf("%zu\n", bytes(&small));
    printf("%zu\n", bytes(&large));
    return 0;
}
