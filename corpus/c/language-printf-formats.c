//@ expect: language-printf-formats.out
// Most of what printf can do; the last line prints a total that misses one term.
#include <stdio.h>

int main(void)
{
    int counts[3] = { 7, -12, 255 };
    long long total = 0;
    int width = 6;

    for (int i = 0; i < 2; i++) //~ fault
        total += counts[i];
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", counts[0], 42, 42, 42, 42, 42);
    printf("[%x] [%#X] [%o] [%u] [%c] [%%]\n", counts[2], 255, 8, 3000000000u, 'q');
    printf("[%.3f] [%8.2f] [%e] [%g] [%g]\n", 2.0 / 3, -1.5, 12345.678, 0.0001, 1e20);
    printf("[%s] [%8s] [%-8s] [%.2s] [%*d]\n", "abc", "abc", "abc", "abc", width, counts[1]);
    printf("[%hhd] [%hu] [%ld] [%zu] [%jd]\n", (signed char)-3, (unsigned short)65535, -5L,
           sizeof(short), (__INTMAX_TYPE__)1 << 40);
    printf("total %lld\n", total); //~ failure: wrong-output
    return 0;
}
