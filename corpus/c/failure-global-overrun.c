// A log with a fixed number of entries. The check for room comes one entry too late.
#define ENTRIES 4

static int codes[ENTRIES];
static int used;

static int record(int code)
{
    if (used > ENTRIES) //~ fault
        return 0;
    codes[used] = code; //~ failure: out-of-bounds //~ relevance: irrelevant
    used++; //~ relevance: enforcing
    return 1; //~ relevance: enforcing
}

int main(void)
{
    int recorded = 0; //~ relevance: enforcing

    for (int code = 100; code < 106; code++) //~ relevance: enforcing, enforcing
        recorded += record(code); //~ relevance: enforcing
    return recorded == ENTRIES ? 0 : 1;
}
