// Transfers between two accounts.
#include <stdio.h>

struct account {
    int balance;
    int refused;
};

static int pay(struct account *from, int amount)
{
    if (amount > from->balance) {
        from->refused++;
        return 0;
    }
    from->balance -= amount;
    return 1;
}

static void transfer(struct account *from, struct account *to, int amount)
{
    if (pay(from, amount))
        to->balance += amount;
}

int main(void)
{
    struct account a = { 100, 0 };
    struct account b = { 50, 0 };
    char from;
    int amount;

    while (scanf(" %c %d", &from, &amount) == 2) {
        if (from == 'a')
            transfer(&a, &b, amount);
        else
            pay(&b, amount);
    }
    printf("a: %d, refused %d\n", a.balance, a.refused);
    printf("b: %d, refused %d\n", b.balance, b.refused);
    return 0;
}
