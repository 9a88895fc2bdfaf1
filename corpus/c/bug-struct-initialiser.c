// A record with designated members, and a list of records; the heater is switched on too late.
#include <assert.h>

struct range {
    int low, high;
};

struct heater {
    const char *name;
    struct range range;
    double step;
};

static struct heater kitchen = {
    .name = "kitchen",
    .range = {
        .low = 3, //~ fault //~ relevance: enforcing
        .high = 22,
    },
    .step = 0.5, //~ relevance: enforcing
};

static struct range allowed[] = {
    { 0, 40 },
    { .high = 30, .low = 15 }, //~ relevance: enforcing
};

static int is_on(struct heater *heater, int temperature)
{
    return temperature < heater->range.low; //~ relevance: enforcing
}

int main(void)
{
    int temperature = allowed[1].low - 1; //~ relevance: enforcing

    assert(kitchen.step < 1);
    assert(is_on(&kitchen, temperature)); //~ failure: assertion //~ relevance: enforcing, enforcing
    return 0;
}
