// Wrong return value: where a letter is found for the last time. The answer is counted from the end, and
// taken as counted from the beginning.
#include <assert.h>
#include <string.h>

static int last_position(const char *text, char letter)
{
    int length = (int)strlen(text);

    for (int back = 1; back <= length; back++)
        if (text[length - back] == letter)
            return back; //~ fault //~ cascade
    return -1;
}

static void extension(char *out, const char *name)
{
    int dot = last_position(name, '.');

    if (dot < 0)
        out[0] = '\0';
    else
        strcpy(out, name + dot + 1);
}

int main(void)
{
    char text[16];

    extension(text, "holiday.2026.jpeg");
    assert(text[0] == 'j'); //~ failure: assertion
    return 0;
}
