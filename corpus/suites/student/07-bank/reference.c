// A bank account: d deposits, w withdraws, i pays interest.
#include <assert.h>
#include <stdio.h>

#define FEE 2

static int balance = 0;

static int withdraw(int amount)
{
    if (amount <= 0 || amount + FEE > balance)
        return 0;
    balance -= amount + FEE;
    assert(balance >= 0);
    return 1;
}

int main(void)
{
    char command;
    int amount;

    while (scanf(" %c %d", &command, &amount) == 2) {
        if (command == 'd' && amount > 0)
            balance += amount;
        else if (command == 'i')
            balance += balance * amount / 100;
        else if (command != 'w' || !withdraw(amount))
            printf("refused: %c %d\n", command, amount);
    }
    printf("balance: %d\n", balance);
    return 0;
}
