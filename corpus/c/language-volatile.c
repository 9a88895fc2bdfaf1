// A register of a device, read and written through a volatile pointer. The mask clears the ready bit.
#include <assert.h>
#include <stdint.h>

#define READY 0x80u
#define SPEED 0x0Fu

static volatile uint8_t device = READY; //~ relevance: enforcing

static void set_speed(volatile uint8_t *reg, uint8_t speed)
{
    uint8_t kept = *reg & SPEED; //~ fault //~ relevance: enforcing

    *reg = kept | (speed & SPEED); //~ relevance: enforcing
}

int main(void)
{
    volatile uint8_t *reg = &device; //~ relevance: enforcing

    set_speed(reg, 5); //~ relevance: enforcing, enforcing
    assert((*reg & SPEED) == 5);
    assert(*reg & READY); //~ failure: assertion
    return 0;
}
