// A loop nest over an array: how fast the interpreter is. It does not fail.
#ifndef ROUNDS
#define ROUNDS 100
#endif

static unsigned numbers[1000];

int main(void)
{
    unsigned sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 1000; i++) {
            sum += numbers[i];
            numbers[i] = sum ^ i;
        }
    }
    return sum == 42;
}
