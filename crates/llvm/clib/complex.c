// Complex numbers: what clang calls for products and quotients, and the functions of complex.h that are not series.
//
// Products and quotients are as in Annex G of the C standard: infinite where an operand is infinite or the divisor is
// zero, also if a part of the plain result is not a number.

#include <complex.h>
#include <math.h>

static double complex make(double x, double y) {
    double complex z;
    __real__ z = x;
    __imag__ z = y;
    return z;
}

// One for an infinite part, zero for a finite one, with the sign of the part.
static double boxed(double x) { return copysign(isinf(x) ? 1 : 0, x); }

// A part that is not a number does not matter beside an infinite one.
static double settled(double x) { return isnan(x) ? copysign(0, x) : x; }

double complex __muldc3(double a, double b, double c, double d) {
    double x = a * c - b * d, y = a * d + b * c;
    if (!isnan(x) || !isnan(y)) return make(x, y);
    int infinite = 0;
    if (isinf(a) || isinf(b)) {
        a = boxed(a), b = boxed(b), c = settled(c), d = settled(d);
        infinite = 1;
    }
    if (isinf(c) || isinf(d)) {
        c = boxed(c), d = boxed(d), a = settled(a), b = settled(b);
        infinite = 1;
    }
    if (!infinite && (isinf(a * c) || isinf(b * d) || isinf(a * d) || isinf(b * c))) {
        a = settled(a), b = settled(b), c = settled(c), d = settled(d);
        infinite = 1;
    }
    return infinite ? make(HUGE_VAL * (a * c - b * d), HUGE_VAL * (a * d + b * c)) : make(x, y);
}

double complex __divdc3(double a, double b, double c, double d) {
    // The divisor is brought near to one, so that its square is in range.
    double size = logb(fmax(fabs(c), fabs(d)));
    int by = isfinite(size) ? (int)size : 0;
    if (isfinite(size)) c = scalbn(c, -by), d = scalbn(d, -by);
    double square = c * c + d * d;
    double x = scalbn((a * c + b * d) / square, -by), y = scalbn((b * c - a * d) / square, -by);
    if (!isnan(x) || !isnan(y)) return make(x, y);
    if (square == 0 && (!isnan(a) || !isnan(b))) {
        double infinity = copysign(HUGE_VAL, c);
        return make(infinity * a, infinity * b);
    }
    if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
        a = boxed(a), b = boxed(b);
        return make(HUGE_VAL * (a * c + b * d), HUGE_VAL * (b * c - a * d));
    }
    if (isinf(size) && size > 0 && isfinite(a) && isfinite(b)) {
        c = boxed(c), d = boxed(d);
        return make(0 * (a * c + b * d), 0 * (b * c - a * d));
    }
    return make(x, y);
}

float complex __mulsc3(float a, float b, float c, float d) {
    float x = a * c - b * d, y = a * d + b * c;
    if (isnan(x) && isnan(y)) return (float complex)__muldc3(a, b, c, d);
    float complex z;
    __real__ z = x;
    __imag__ z = y;
    return z;
}

float complex __divsc3(float a, float b, float c, float d) { return (float complex)__divdc3(a, b, c, d); }

double creal(double complex z) { return __real__ z; }
double cimag(double complex z) { return __imag__ z; }
double complex conj(double complex z) { return make(__real__ z, -__imag__ z); }
double cabs(double complex z) { return hypot(__real__ z, __imag__ z); }
double carg(double complex z) { return atan2(__imag__ z, __real__ z); }

double complex cproj(double complex z) {
    int infinite = isinf(__real__ z) || isinf(__imag__ z);
    return infinite ? make(HUGE_VAL, copysign(0, __imag__ z)) : z;
}

double complex cexp(double complex z) {
    double size = exp(__real__ z);
    return __imag__ z == 0 ? make(size, __imag__ z) : make(size * cos(__imag__ z), size * sin(__imag__ z));
}

double complex clog(double complex z) { return make(log(cabs(z)), carg(z)); }

double complex csqrt(double complex z) {
    double x = __real__ z, y = __imag__ z;
    if (x == 0 && y == 0) return make(0, y);
    double root = sqrt((hypot(x, y) + fabs(x)) / 2), other = fabs(y) / (2 * root);
    return x >= 0 ? make(root, copysign(other, y)) : make(other, copysign(root, y));
}

double complex cpow(double complex z, double complex w) { return cexp(w * clog(z)); }

float crealf(float complex z) { return __real__ z; }
float cimagf(float complex z) { return __imag__ z; }
float complex conjf(float complex z) { return (float complex)conj(z); }
float cabsf(float complex z) { return hypotf(__real__ z, __imag__ z); }
float cargf(float complex z) { return atan2f(__imag__ z, __real__ z); }
float complex csqrtf(float complex z) { return (float complex)csqrt(z); }
float complex cexpf(float complex z) { return (float complex)cexp(z); }
