// A heap of priorities. Sinking takes the right child if it is larger than the parent, not than its sibling.
#include <assert.h>

static int heap[16];
static int count;

static void swap(int i, int j)
{
    int kept = heap[i];

    heap[i] = heap[j];
    heap[j] = kept;
}

static void push(int priority)
{
    int i = count++;

    heap[i] = priority;
    while (i > 0 && heap[(i - 1) / 2] < heap[i]) {
        swap(i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static int pop(void)
{
    int top = heap[0];
    int i = 0;

    heap[0] = heap[--count];
    while (2 * i + 1 < count) {
        int child = 2 * i + 1;

        if (child + 1 < count && heap[child + 1] > heap[i]) //~ fault
            child++;
        if (heap[child] <= heap[i])
            break;
        swap(i, child);
        i = child;
    }
    return top;
}

int main(void)
{
    int jobs[] = { 3, 8, 5, 9, 1, 7 };

    for (int i = 0; i < 6; i++)
        push(jobs[i]);
    assert(pop() == 9);
    assert(pop() == 8); //~ failure: assertion
    assert(pop() == 7);
    return 0;
}
