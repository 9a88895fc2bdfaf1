// A log with a fixed number of entries. The check for room comes one entry too late.
#define ENTRIES 4

static int codes[ENTRIES];
static int used;

static int record(int code)
{
    if (used > ENTRIES) //~ fault
        return 0;
    codes[used] = code; //~ failure: out-of-bounds
    used++;
    return 1;
}

int main(void)
{
    int recorded = 0;

    for (int code = 100; code < 106; code++)
        recorded += record(code);
    return recorded == ENTRIES ? 0 : 1;
}
