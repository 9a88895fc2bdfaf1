// Recursion: the depth of a tree of tasks. The right subtree is not asked if there is a left one.
#include <assert.h>
#include <stdlib.h>

struct task {
    int hours;
    struct task *left, *right;
};

static struct task *add(struct task *root, int hours)
{
    if (!root) {
        struct task *task = calloc(1, sizeof *task);

        if (!task)
            exit(1);
        task->hours = hours;
        return task;
    }
    if (hours < root->hours)
        root->left = add(root->left, hours);
    else
        root->right = add(root->right, hours);
    return root;
}

static int depth(const struct task *root)
{
    int deepest = 0;

    if (!root)
        return 0;
    if (root->left) //~ fault //~ cascade
        deepest = depth(root->left);
    else if (root->right)
        deepest = depth(root->right);
    return deepest + 1;
}

int main(void)
{
    static const int hours[] = { 5, 2, 8, 6, 9, 7 };
    struct task *root = NULL;

    for (int i = 0; i < 6; i++)
        root = add(root, hours[i]);

    int found = depth(root);

    assert(found == 4); //~ failure: assertion
    return 0;
}
