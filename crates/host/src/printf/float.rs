//! Floating-point numbers as `%f %e %g %a` print them: exact decimal expansions, rounded to even.

use super::render::Spec;

/// A double has no more digits than this behind the first one; the rest is zeros. It also keeps precisions
/// within what the standard library accepts.
const MOST_DIGITS: usize = 1100;

/// The type that the number had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatKind {
    Double,
    /// `long double`: here it has the same values.
    Long,
}

/// A number without its sign: a prefix, behind which zeros may be inserted, and the rest.
pub fn body(spec: &Spec, x: f64, kind: FloatKind) -> (&'static str, String) {
    let upper = spec.conversion.is_ascii_uppercase();
    if !x.is_finite() {
        let name = match (x.is_nan(), upper) {
            (true, false) => "nan",
            (true, true) => "NAN",
            (false, false) => "inf",
            (false, true) => "INF",
        };
        return ("", name.to_owned());
    }
    let precision = spec.precision.unwrap_or(6);
    let text = match spec.conversion.to_ascii_lowercase() {
        b'f' => with_point(spec, fixed(x, precision)),
        b'e' => {
            let (digits, exponent) = scientific(x, precision);
            with_exponent(with_point(spec, digits), exponent)
        }
        b'a' => {
            let text = hexadecimal(x, spec, kind);
            return if upper { ("0X", text.to_ascii_uppercase()) } else { ("0x", text) };
        }
        _ => general(spec, x, precision.max(1)),
    };
    ("", if upper { text.to_ascii_uppercase() } else { text })
}

/// The alternative form always has a point.
fn with_point(spec: &Spec, mut digits: String) -> String {
    if spec.flags.alternative && !digits.contains('.') {
        digits.push('.');
    }
    digits
}

fn with_exponent(digits: String, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

fn fixed(x: f64, precision: usize) -> String {
    let mut text = format!("{x:.*}", precision.min(MOST_DIGITS));
    text.push_str(&"0".repeat(precision.saturating_sub(MOST_DIGITS)));
    text
}

/// The digits of `d.ddd` and the exponent.
fn scientific(x: f64, precision: usize) -> (String, i32) {
    let text = format!("{x:.*e}", precision.min(MOST_DIGITS));
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let zeros = "0".repeat(precision.saturating_sub(MOST_DIGITS));
    (format!("{digits}{zeros}"), exponent.parse().unwrap_or(0))
}

fn general(spec: &Spec, x: f64, significant: usize) -> String {
    let (digits, exponent) = scientific(x, significant - 1);
    let small = exponent < -4;
    let large = usize::try_from(exponent).is_ok_and(|e| e >= significant);
    let (text, exponent) = if small || large {
        (digits, Some(exponent))
    } else {
        let places = (significant as i64 - 1 - i64::from(exponent)).max(0);
        (fixed(x, places as usize), None)
    };
    let text = if spec.flags.alternative {
        with_point(spec, text)
    } else if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    };
    match exponent {
        Some(exponent) => with_exponent(text, exponent),
        None => text,
    }
}

/// `d.hhhp±e`. The first digit has one bit; that of a `long double` of x86 has four.
fn hexadecimal(x: f64, spec: &Spec, kind: FloatKind) -> String {
    let precision = spec.precision;
    let bits = x.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = (bits >> 52 & 0x7ff) as i32;
    let (mut first, mut fraction, mut exponent) = match biased {
        0 if fraction == 0 => (0, 0, 0),
        0 => (0, fraction, -1022),
        _ => (1, fraction, biased - 1023),
    };
    // The fraction as 15 digits: 60 bits.
    let mut digits = 13;
    if kind == FloatKind::Long && (first, fraction) != (0, 0) {
        let mantissa = first << 52 | fraction;
        let shift = mantissa.leading_zeros() - 11;
        let mantissa = mantissa << shift;
        // 53 bits, the highest set: four of them are the first digit.
        (first, fraction) = (mantissa >> 49, (mantissa & ((1 << 49) - 1)) << 11);
        (digits, exponent) = (15, exponent - shift as i32 - 3);
    }
    let mut shown = digits;
    match precision {
        Some(precision) if precision < digits => {
            let drop = 4 * (digits - precision) as u32;
            let whole = u128::from(first) << (4 * digits) | u128::from(fraction);
            let (kept, rest) = (whole >> drop, whole & ((1 << drop) - 1));
            let half = 1 << (drop - 1);
            let up = rest > half || rest == half && kept & 1 == 1;
            let rounded = kept + u128::from(up);
            first = (rounded >> (4 * precision)) as u64;
            fraction = (rounded & ((1 << (4 * precision)) - 1)) as u64;
            shown = precision;
            if first == 16 {
                (first, exponent) = (1, exponent + 4);
            }
        }
        Some(_) => {}
        None => {
            while shown > 0 && fraction & 15 == 0 {
                fraction >>= 4;
                shown -= 1;
            }
        }
    }
    let mut text = format!("{first:x}");
    if shown > 0 || spec.flags.alternative || precision.is_some_and(|p| p > 0) {
        text.push('.');
    }
    if shown > 0 {
        text.push_str(&format!("{fraction:0shown$x}"));
    }
    text.push_str(&"0".repeat(precision.unwrap_or(0).saturating_sub(shown)));
    format!("{text}p{exponent:+}")
}
