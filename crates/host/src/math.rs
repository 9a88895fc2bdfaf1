//! math.h: what the standard library of Rust takes from the C library of the machine, and exact functions of our own.

use program::process::{Fault, Objects};

use crate::call::{Answer, Call};
use crate::world::{Table, World};

/// Rows for a function of doubles: `sin`, `sinl` (a long double is a double here), and `sinf`.
macro_rules! functions {
    (
        one: $($one:literal $one_f:literal $one_l:literal $f:ident;)*
        two: $($two:literal $two_f:literal $two_l:literal $g:expr, $h:expr;)*
        more: $($more:tt)*
    ) => {
        pub(crate) const FUNCTIONS: Table = &[
            $(($one, |world, call, memory| one(world, call, f64::$f, memory)),
              ($one_l, |world, call, memory| one(world, call, f64::$f, memory)),
              ($one_f, |world, call, memory| one_float(world, call, f32::$f, memory)),)*
            $(($two, |world, call, memory| two(world, call, $g, memory)),
              ($two_l, |world, call, memory| two(world, call, $g, memory)),
              ($two_f, |world, call, memory| two_float(world, call, $h, memory)),)*
            $($more)*
        ];
    };
}

functions! {
    one:
        "sin" "sinf" "sinl" sin;
        "cos" "cosf" "cosl" cos;
        "tan" "tanf" "tanl" tan;
        "asin" "asinf" "asinl" asin;
        "acos" "acosf" "acosl" acos;
        "atan" "atanf" "atanl" atan;
        "sinh" "sinhf" "sinhl" sinh;
        "cosh" "coshf" "coshl" cosh;
        "tanh" "tanhf" "tanhl" tanh;
        "asinh" "asinhf" "asinhl" asinh;
        "acosh" "acoshf" "acoshl" acosh;
        "atanh" "atanhf" "atanhl" atanh;
        "exp" "expf" "expl" exp;
        "exp2" "exp2f" "exp2l" exp2;
        "expm1" "expm1f" "expm1l" exp_m1;
        "log" "logf" "logl" ln;
        "log2" "log2f" "log2l" log2;
        "log10" "log10f" "log10l" log10;
        "log1p" "log1pf" "log1pl" ln_1p;
        "sqrt" "sqrtf" "sqrtl" sqrt;
        "cbrt" "cbrtf" "cbrtl" cbrt;
        "floor" "floorf" "floorl" floor;
        "ceil" "ceilf" "ceill" ceil;
        "trunc" "truncf" "truncl" trunc;
        "round" "roundf" "roundl" round;
        "roundeven" "roundevenf" "roundevenl" round_ties_even;
        "rint" "rintf" "rintl" round_ties_even;
        "nearbyint" "nearbyintf" "nearbyintl" round_ties_even;
        "fabs" "fabsf" "fabsl" abs;
    two:
        "atan2" "atan2f" "atan2l" f64::atan2, f32::atan2;
        "pow" "powf" "powl" f64::powf, f32::powf;
        "hypot" "hypotf" "hypotl" f64::hypot, f32::hypot;
        "fmod" "fmodf" "fmodl" |x, y| x % y, |x, y| x % y;
        "remainder" "remainderf" "remainderl" remainder, |x, y| remainder(x.into(), y.into()) as f32;
        "drem" "dremf" "dreml" remainder, |x, y| remainder(x.into(), y.into()) as f32;
        "fmin" "fminf" "fminl" f64::min, f32::min;
        "fmax" "fmaxf" "fmaxl" f64::max, f32::max;
        "fdim" "fdimf" "fdiml" |x, y| if x <= y { 0.0 } else { x - y },
                               |x, y| if x <= y { 0.0 } else { x - y };
        "copysign" "copysignf" "copysignl" f64::copysign, f32::copysign;
        "nextafter" "nextafterf" "nextafterl" next_after, next_after_float;
        "nexttoward" "nexttowardf" "nexttowardl" next_after, next_after_float;
    more:
        ("fma", fma), ("fmal", fma), ("fmaf", fmaf),
        ("ldexp", ldexp), ("ldexpl", ldexp), ("ldexpf", ldexpf),
        ("scalbn", ldexp), ("scalbnl", ldexp), ("scalbnf", ldexpf),
        ("scalbln", ldexp), ("scalblnl", ldexp), ("scalblnf", ldexpf),
        ("frexp", frexp), ("frexpl", frexp), ("frexpf", frexpf),
        ("modf", modf), ("modfl", modf), ("modff", modff),
        ("logb", logb), ("logbl", logb), ("logbf", logbf),
        ("ilogb", ilogb), ("ilogbl", ilogb), ("ilogbf", ilogbf),
        ("lround", lround), ("llround", lround), ("lroundl", lround), ("llroundl", lround),
        ("lroundf", lroundf), ("llroundf", lroundf),
        ("lrint", lrint), ("llrint", lrint), ("lrintl", lrint), ("llrintl", lrint),
        ("lrintf", lrintf), ("llrintf", lrintf),
        ("nan", |_, call, _| call.opaque_double(f64::NAN)),
        ("nanl", |_, call, _| call.opaque_double(f64::NAN)),
        ("nanf", |_, call, _| call.opaque_float(f32::NAN)),
        ("sincos", sincos), ("sincosf", sincosf),
}

/// The C function that an intrinsic of the compiler stands for: `llvm.floor.f64`.
pub(crate) fn intrinsic(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("llvm.")?;
    let (name, kind) = name.split_once('.')?;
    let name = match name {
        "fmuladd" => "fma",
        "minnum" => "fmin",
        "maxnum" => "fmax",
        name => name,
    };
    let wanted = if kind.starts_with("f32") { format!("{name}f") } else { name.to_owned() };
    FUNCTIONS.iter().map(|(known, _)| *known).find(|known| *known == wanted)
}

const EDOM: i32 = 33;
const ERANGE: i32 = 34;

/// What `errno` says about a result that ordinary arguments should not have.
fn note(
    world: &mut World,
    arguments: &[f64],
    result: f64,
    memory: &mut Objects,
) -> Result<(), Fault> {
    let ordinary = arguments.iter().all(|x| x.is_finite());
    if result.is_nan() && !arguments.iter().any(|x| x.is_nan()) {
        world.set_errno(EDOM, memory)
    } else if result.is_infinite() && ordinary {
        world.set_errno(ERANGE, memory)
    } else {
        Ok(())
    }
}

fn one(world: &mut World, call: Call<'_>, f: fn(f64) -> f64, memory: &mut Objects) -> Answer {
    let x = call.double(0)?;
    let result = f(x);
    note(world, &[x], result, memory)?;
    call.opaque_double(result)
}

fn one_float(world: &mut World, call: Call<'_>, f: fn(f32) -> f32, memory: &mut Objects) -> Answer {
    let x = call.float(0)?;
    let result = f(x);
    note(world, &[x.into()], result.into(), memory)?;
    call.opaque_float(result)
}

fn two(world: &mut World, call: Call<'_>, f: fn(f64, f64) -> f64, memory: &mut Objects) -> Answer {
    let (x, y) = (call.double(0)?, call.double(1)?);
    let result = f(x, y);
    note(world, &[x, y], result, memory)?;
    call.opaque_double(result)
}

fn two_float(
    world: &mut World,
    call: Call<'_>,
    f: fn(f32, f32) -> f32,
    memory: &mut Objects,
) -> Answer {
    let (x, y) = (call.float(0)?, call.float(1)?);
    let result = f(x, y);
    note(world, &[x.into(), y.into()], result.into(), memory)?;
    call.opaque_float(result)
}

fn fma(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque_double(call.double(0)?.mul_add(call.double(1)?, call.double(2)?))
}

fn fmaf(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque_float(call.float(0)?.mul_add(call.float(1)?, call.float(2)?))
}

/// x - n y, where n is the integer next to x / y, the even one of two. It is exact.
fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let y = y.abs();
    // Between -2y and 2y, without changing whether n is even.
    let mut rest = if y <= f64::MAX / 2.0 { x.abs() % (y + y) } else { x.abs() };
    if y < 2.0 * f64::MIN_POSITIVE {
        if rest + rest > y {
            rest -= y;
            if rest + rest >= y {
                rest -= y;
            }
        }
    } else {
        let half = 0.5 * y;
        if rest > half {
            rest -= y;
            if rest >= half {
                rest -= y;
            }
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

fn next_after(x: f64, y: f64) -> f64 {
    match x.partial_cmp(&y) {
        None => f64::NAN,
        Some(std::cmp::Ordering::Equal) => y,
        Some(std::cmp::Ordering::Less) => x.next_up(),
        Some(std::cmp::Ordering::Greater) => x.next_down(),
    }
}

fn next_after_float(x: f32, y: f32) -> f32 {
    match x.partial_cmp(&y) {
        None => f32::NAN,
        Some(std::cmp::Ordering::Equal) => y,
        Some(std::cmp::Ordering::Less) => x.next_up(),
        Some(std::cmp::Ordering::Greater) => x.next_down(),
    }
}

/// x times a power of two, rounded once.
fn scale(x: f64, n: i64) -> f64 {
    let (fraction, exponent) = split(x);
    if fraction == 0.0 || !fraction.is_finite() {
        return x;
    }
    // fraction is in [0.5, 1): its result is normal from here on.
    let e = n.saturating_add(exponent);
    if e > 1024 {
        return f64::INFINITY.copysign(x);
    }
    if e < -1100 {
        return 0f64.copysign(x);
    }
    let power = |e: i64| f64::from_bits(((e + 1023) as u64) << 52);
    if e > -1021 {
        fraction * 2.0 * power(e - 1)
    } else {
        fraction * power(-1021) * power(e + 1021)
    }
}

/// A fraction from 0.5 to 1 and an exponent of two.
fn split(x: f64) -> (f64, i64) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (normal, shift) = if x.is_subnormal() { (x * (1u64 << 54) as f64, 54) } else { (x, 0) };
    let bits = normal.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent - shift)
}

/// The power: an int, or a long where the compiler passes one.
fn power(call: Call<'_>) -> Result<i64, Fault> {
    if call.0.name.starts_with("scalbln") {
        return Ok(call.word(1)? as i64);
    }
    Ok(call.int(1)?.into())
}

fn ldexp(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let x = call.double(0)?;
    let result = scale(x, power(call)?);
    note(world, &[x], result, memory)?;
    call.opaque_double(result)
}

fn ldexpf(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let x = call.float(0)?;
    // As a double it is exact, unless it is out of the range of floats by far.
    let result = scale(x.into(), power(call)?) as f32;
    note(world, &[x.into()], result.into(), memory)?;
    call.opaque_float(result)
}

fn frexp(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (fraction, exponent) = split(call.double(0)?);
    memory.write(call.word(1)?, &(exponent as i32).to_le_bytes())?;
    call.opaque_double(fraction)
}

fn frexpf(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (fraction, exponent) = split(call.float(0)?.into());
    memory.write(call.word(1)?, &(exponent as i32).to_le_bytes())?;
    call.opaque_float(fraction as f32)
}

fn modf(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let x = call.double(0)?;
    memory.write(call.word(1)?, &x.trunc().to_bits().to_le_bytes())?;
    let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    call.opaque_double(fraction.copysign(x))
}

fn modff(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let x = call.float(0)?;
    memory.write(call.word(1)?, &x.trunc().to_bits().to_le_bytes())?;
    let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    call.opaque_float(fraction.copysign(x))
}

/// The exponent of the number written as 1.f.
fn exponent(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_nan() || x.is_infinite() {
        x * x
    } else {
        (split(x).1 - 1) as f64
    }
}

fn logb(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque_double(exponent(call.double(0)?))
}

fn logbf(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque_float(exponent(call.float(0)?.into()) as f32)
}

fn integer_exponent(x: f64) -> i64 {
    if x == 0.0 || x.is_nan() {
        i32::MIN.into()
    } else if x.is_infinite() {
        i32::MAX.into()
    } else {
        split(x).1 - 1
    }
}

fn ilogb(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque(integer_exponent(call.double(0)?))
}

fn ilogbf(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque(integer_exponent(call.float(0)?.into()))
}

/// As the machine converts: what does not fit is the smallest number.
fn to_long(x: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) {
        x as i64
    } else {
        i64::MIN
    }
}

fn lround(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque(to_long(call.double(0)?.round()))
}

fn lroundf(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque(to_long(call.float(0)?.round().into()))
}

fn lrint(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque(to_long(call.double(0)?.round_ties_even()))
}

fn lrintf(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.opaque(to_long(call.float(0)?.round_ties_even().into()))
}

fn sincos(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let x = call.double(0)?;
    memory.write(call.word(1)?, &x.sin().to_bits().to_le_bytes())?;
    memory.write(call.word(2)?, &x.cos().to_bits().to_le_bytes())?;
    call.opaque(0)
}

fn sincosf(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let x = call.float(0)?;
    memory.write(call.word(1)?, &x.sin().to_bits().to_le_bytes())?;
    memory.write(call.word(2)?, &x.cos().to_bits().to_le_bytes())?;
    call.opaque(0)
}
