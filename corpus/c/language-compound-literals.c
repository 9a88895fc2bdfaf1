// Compound literals as arguments and as arrays. The weights are given in the wrong order.
#include <assert.h>

struct pair {
    int left, right;
};

static int weigh(const struct pair *p, const int *weights)
{
    return p->left * weights[0] + p->right * weights[1];
}

int main(void)
{
    struct pair *p = &(struct pair){ 3, 5 };
    int sum;

    p->left++;
    sum = weigh(p, (int[]){ 1, 10 }); //~ fault
    assert(weigh(&(struct pair){ 1, 1 }, (int[2]){ 2 }) == 2);
    assert(sum == 45); //~ failure: assertion
    return 0;
}
