// A binary tree of structs that point to their own kind; a larger key goes down the wrong side.
#include <assert.h>
#include <stddef.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree nodes[8];
static int used;

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = &nodes[used++]; //~ relevance: enforcing, enforcing
        t->key = key; //~ relevance: enforcing
    } else if (key < t->key) {
        t->left = insert(t->left, key); //~ relevance: enforcing, enforcing, enforcing
    } else {
        t->right = insert(t->left, key); //~ fault //~ relevance: enforcing, enforcing, enforcing
    }
    return t; //~ relevance: enforcing
}

static int depth(const struct tree *t)
{
    int left, right;

    if (t == NULL)
        return 0;
    left = depth(t->left);
    right = depth(t->right);
    return 1 + (left > right ? left : right);
}

int main(void)
{
    int keys[] = { 50, 30, 20, 70, 60 }; //~ relevance: enforcing
    struct tree *root = NULL; //~ relevance: enforcing

    for (int i = 0; i < 5; i++) //~ relevance: enforcing, enforcing
        root = insert(root, keys[i]); //~ relevance: enforcing, enforcing, enforcing
    assert(used == 5 && root->key == 50);
    assert(root->right->key == 70); //~ failure: assertion
    assert(depth(root) == 3);
    return 0;
}
