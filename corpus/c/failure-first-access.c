// An array that nothing else accesses.
static int limits[3];

int main(void)
{
    int index = 5; //~ fault //~ relevance: enforcing 0

    return limits[index]; //~ failure: out-of-bounds
}
