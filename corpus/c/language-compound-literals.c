// Compound literals as arguments and as arrays. The weights are given in the wrong order.
#include <assert.h>

struct pair {
    int left, right;
};

static int weigh(const struct pair *p, const int *weights)
{
    return p->left * weights[0] + p->right * weights[1]; //~ relevance: enforcing
}

int main(void)
{
    struct pair *p = &(struct pair){ 3, 5 }; //~ relevance: enforcing, enforcing
    int sum;

    p->left++; //~ relevance: enforcing
    sum = weigh(p, (int[]){ 1, 10 }); //~ fault //~ relevance: enforcing, enforcing, enforcing, enforcing
    assert(weigh(&(struct pair){ 1, 1 }, (int[2]){ 2 }) == 2);
    //~^ relevance: enforcing, enforcing, enforcing, enforcing
    assert(sum == 45); //~ failure: assertion
    return 0;
}
