// A heap of priorities. Sinking takes the right child if it is larger than the parent, not than its sibling.
#include <assert.h>

static int heap[16];
static int count;

static void swap(int i, int j)
{
    int kept = heap[i]; //~ relevance: enforcing

    heap[i] = heap[j]; //~ relevance: enforcing
    heap[j] = kept; //~ relevance: enforcing
}

static void push(int priority)
{
    int i = count++; //~ relevance: enforcing, enforcing

    heap[i] = priority; //~ relevance: enforcing
    while (i > 0 && heap[(i - 1) / 2] < heap[i]) {
        swap(i, (i - 1) / 2); //~ relevance: enforcing, enforcing
        i = (i - 1) / 2; //~ relevance: enforcing
    }
}

static int pop(void)
{
    int top = heap[0]; //~ relevance: enforcing
    int i = 0; //~ relevance: enforcing

    heap[0] = heap[--count]; //~ relevance: enforcing, enforcing
    while (2 * i + 1 < count) {
        int child = 2 * i + 1; //~ relevance: enforcing

        if (child + 1 < count && heap[child + 1] > heap[i]) //~ fault
            child++; //~ relevance: enforcing
        if (heap[child] <= heap[i])
            break;
        swap(i, child); //~ relevance: enforcing, enforcing
        i = child; //~ relevance: enforcing
    }
    return top; //~ relevance: enforcing
}

int main(void)
{
    int jobs[] = { 3, 8, 5, 9, 1, 7 }; //~ relevance: enforcing

    for (int i = 0; i < 6; i++) //~ relevance: enforcing, enforcing
        push(jobs[i]); //~ relevance: enforcing
    assert(pop() == 9);
    assert(pop() == 8); //~ failure: assertion
    assert(pop() == 7);
    return 0;
}
