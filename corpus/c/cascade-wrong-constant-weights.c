// Wrong constant: the check digit of an ISBN-13 weighs its digits by 1 and 3 in turn. Here it goes
// back to 2.
#include <assert.h>
#include <ctype.h>

static int check_sum(const char *isbn)
{
    int sum = 0, weight = 1;

    for (; *isbn; isbn++) {
        if (!isdigit((unsigned char)*isbn))
            continue;
        sum += (*isbn - '0') * weight;
        if (weight == 1)
            weight = 3;
        else
            weight = 2; //~ fault //~ cascade
    }
    return sum;
}

int main(void)
{
    const char *isbn = "978-3-16-148410-0";
    int sum = check_sum(isbn);

    assert(sum % 10 == 0); //~ failure: assertion
    return 0;
}
