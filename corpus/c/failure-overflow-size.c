// The size of a picture in bytes is computed as an int.
#include <stdio.h>
#include <stdlib.h>

struct picture {
    int width, height, depth;
};

static size_t bytes(const struct picture *p)
{
    int row = p->width * p->depth; //~ relevance: enforcing
    int size = row * p->height; //~ fault //~ relevance: irrelevant
    //~^ failure: signed-overflow

    return size; //~ relevance: irrelevant
}

int main(void)
{
    struct picture small = { 640, 480, 3 }; //~ relevance: enforcing
    struct picture large = { 40000, 30000, 4 }; //~ relevance: enforcing

    printf("%zu\n", bytes(&small)); //~ relevance: enforcing
    printf("%zu\n", bytes(&large)); //~ relevance: enforcing
    return 0;
}
