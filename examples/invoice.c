// Reads the price of a thing in cents and how many of them are bought, and prints an invoice.
//
// What is wrong: the tax is computed from whole euros, because the division comes first.
// Try: whydunit examples/invoice.c --stdin examples/invoice.in --expect examples/invoice.out
#include <stdio.h>

int main(void)
{
    int price, quantity;

    if (scanf("%d %d", &price, &quantity) != 2)
        return 1;

    int net = price * quantity;
    int tax = net / 100 * 19;

    printf("net   %6d\n", net);
    printf("tax   %6d\n", tax);
    printf("total %6d\n", net + tax);
    return 0;
}
