//@ args: 1000 3.4 3
//@ expect: failure-wrong-output-double.out
// Interest year by year. The interest of the second year is paid on the first capital.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double capital, rate, start;
    int years;

    if (argc != 4)
        return 1;
    start = capital = atof(argv[1]);
    rate = atof(argv[2]);
    years = atoi(argv[3]);
    for (int year = 1; year <= years; year++) {
        double interest = start * rate / 100; //~ fault

        capital += interest;
        printf("%d: %8.2f %9.2f\n", year, interest, capital); //~ failure: wrong-output
    }
    return 0;
}
