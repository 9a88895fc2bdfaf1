// As reference.c, but the value of one article replaces that of others, and an article at its limit is not ordered.
#include <stdio.h>

struct article {
    char name[16];
    int stock;
    int limit;
    double price;
};

static struct article articles[20];

static double value(int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum = articles[i].stock * articles[i].price; //~ fault
    return sum;
}

static int to_order(int n)
{
    int count = 0;

    for (int i = 0; i < n; i++)
        if (articles[i].stock < articles[i].limit) //~ fault
            count++;
    return count;
}

int main(void)
{
    int n = 0;

    while (n < 20 && scanf("%15s %d %d %lf", articles[n].name, &articles[n].stock, &articles[n].limit, &articles[n].price) == 4)
        n++;
    printf("value %.2f\n", value(n));
    printf("order %d\n", to_order(n));
    return 0;
}
