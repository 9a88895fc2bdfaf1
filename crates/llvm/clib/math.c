// The functions of math.h that only look at the parts of a number, so that they are known symbolically. Those that compute
// are functions of the world.

#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>

static uint64_t bits(double x) {
    uint64_t result;
    __builtin_memcpy(&result, &x, sizeof result);
    return result;
}

static uint32_t bits_of_float(float x) {
    uint32_t result;
    __builtin_memcpy(&result, &x, sizeof result);
    return result;
}

static const uint64_t EXPONENT = 0x7ff0000000000000, FRACTION = 0x000fffffffffffff;
static const uint32_t EXPONENT_F = 0x7f800000, FRACTION_F = 0x007fffff;

int __fpclassify(double x) {
    uint64_t exponent = bits(x) & EXPONENT, fraction = bits(x) & FRACTION;
    if (exponent == EXPONENT) return fraction != 0 ? FP_NAN : FP_INFINITE;
    if (exponent == 0) return fraction != 0 ? FP_SUBNORMAL : FP_ZERO;
    return FP_NORMAL;
}

int __fpclassifyf(float x) {
    uint32_t exponent = bits_of_float(x) & EXPONENT_F, fraction = bits_of_float(x) & FRACTION_F;
    if (exponent == EXPONENT_F) return fraction != 0 ? FP_NAN : FP_INFINITE;
    if (exponent == 0) return fraction != 0 ? FP_SUBNORMAL : FP_ZERO;
    return FP_NORMAL;
}

int __signbit(double x) { return bits(x) >> 63 != 0; }
int __signbitf(float x) { return bits_of_float(x) >> 31 != 0; }
int __isnan(double x) { return x != x; }
int __isnanf(float x) { return x != x; }
int __finite(double x) { return (bits(x) & EXPONENT) != EXPONENT; }
int __finitef(float x) { return (bits_of_float(x) & EXPONENT_F) != EXPONENT_F; }
int __isinf(double x) { return x == HUGE_VAL ? 1 : x == -HUGE_VAL ? -1 : 0; }
int __isinff(float x) { return x == HUGE_VALF ? 1 : x == -HUGE_VALF ? -1 : 0; }

int(isnan)(double x) { return x != x; }
int(isinf)(double x) { return __isinf(x); }
int(finite)(double x) { return __finite(x); }
int isnanf(float x) { return x != x; }
int isinff(float x) { return __isinff(x); }
int finitef(float x) { return __finitef(x); }
