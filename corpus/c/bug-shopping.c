//@ stdin: bug-shopping.in
//@ expect: bug-shopping.out
// A bill with a discount: large quantities get it, small ones keep the discount of the line before.
#include <stdio.h>

int main(void)
{
    char item[16];
    int quantity, price;
    int discount = 0, total = 0; //~ relevance: enforcing, enforcing

    while (scanf("%15s %d %d", item, &quantity, &price) == 3) {
        int cost = quantity * price; //~ relevance: enforcing

        if (quantity >= 10) //~ fault
            discount = 10; //~ relevance: enforcing
        cost -= cost * discount / 100; //~ relevance: enforcing
        printf("%-8s %6d\n", item, cost); //~ failure: wrong-output
        total += cost; //~ relevance: enforcing
    }
    printf("%-8s %6d\n", "total", total);
    return 0;
}
