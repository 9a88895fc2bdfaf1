//@ args: 6 5 4
// Paper 5, Fig. 1: the area of a triangle, with the sides in descending order. The test for a right
// angle is turned round, so that 6 5 4 is computed as if it had one.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum shape { NONE, ORDINARY, TWO_EQUAL, ALL_EQUAL, RIGHT_ANGLED };

static double area_of(int longest, int middle, int shortest)
{
    enum shape shape;
    double half, area;

    if (longest >= middle && middle >= shortest) {
        shape = ORDINARY; //~ relevance: irrelevant
        if (longest == middle || middle == shortest)
            shape = TWO_EQUAL;
        if (longest * longest != middle * middle + shortest * shortest) //~ fault
            shape = RIGHT_ANGLED; //~ relevance: enforcing
        if (longest == middle && middle == shortest)
            shape = ALL_EQUAL;
        switch (shape) {
        case RIGHT_ANGLED:
            area = middle * shortest / 2; //~ relevance: enforcing
            break;
        case ALL_EQUAL:
            area = longest * longest * sqrt(3) / 4;
            break;
        default:
            half = (longest + middle + shortest) / 2.0;
            area = sqrt(half * (half - longest) * (half - middle) * (half - shortest));
        }
    } else {
        shape = NONE;
        area = 0;
    }
    return area; //~ relevance: enforcing
}

int main(int argc, char **argv)
{
    double area;

    if (argc != 4)
        return 1;
    area = area_of(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
    //~^ relevance: enforcing, enforcing, enforcing, enforcing, enforcing, enforcing, enforcing
    assert(fabs(area - 9.9215674164922152) < 1e-9); //~ failure: assertion
    return 0;
}
