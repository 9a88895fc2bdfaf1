//! Texts to floating-point numbers, as strtod reads them: decimal, hexadecimal, infinite, not a number.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parsed {
    pub value: f64,
    /// The same text as a float: rounding twice would be wrong.
    pub single: f32,
    /// How many bytes of the text it is; 0 if there is no number.
    pub length: usize,
    /// The number is not 0, but too large or too small.
    pub out_of_range: bool,
}

/// The number at the beginning of the text, behind white space.
pub fn parse(text: &[u8]) -> Parsed {
    let blanks = text.iter().take_while(|byte| is_space(**byte)).count();
    let signed = matches!(text.get(blanks), Some(b'+' | b'-'));
    let negative = text.get(blanks) == Some(&b'-');
    let start = blanks + usize::from(signed);
    let mut parsed = unsigned(&text[start..]);
    if parsed.length == 0 {
        return parsed;
    }
    parsed.length += start;
    if negative {
        parsed.value = -parsed.value;
        parsed.single = -parsed.single;
    }
    parsed
}

pub(crate) fn is_space(byte: u8) -> bool {
    byte == b' ' || (9..=13).contains(&byte)
}

fn unsigned(text: &[u8]) -> Parsed {
    let none = Parsed { value: 0.0, single: 0.0, length: 0, out_of_range: false };
    let begins = |word: &str| {
        text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word.as_bytes()))
    };
    let infinite = Parsed { value: f64::INFINITY, single: f32::INFINITY, ..none };
    if begins("infinity") {
        return Parsed { length: 8, ..infinite };
    }
    if begins("inf") {
        return Parsed { length: 3, ..infinite };
    }
    if begins("nan") {
        let length = 3 + nan_payload(&text[3..]);
        return Parsed { value: f64::NAN, single: f32::NAN, length, ..none };
    }
    if begins("0x") {
        let number = mantissa(&text[2..], u8::is_ascii_hexdigit);
        if number.digits {
            let (exponent, length) = exponent(&text[2 + number.length..], b'p');
            let digits = &text[2..2 + number.length];
            let exact = hexadecimal(digits, exponent);
            return Parsed { length: 2 + number.length + length, ..exact };
        }
    }
    let number = mantissa(text, u8::is_ascii_digit);
    if !number.digits {
        return none;
    }
    let length = number.length + exponent(&text[number.length..], b'e').1;
    let Ok(decimal) = std::str::from_utf8(&text[..length]) else { return none };
    let value: f64 = decimal.parse().unwrap_or(0.0);
    let single = decimal.parse().unwrap_or(0.0);
    let zero = text[..number.length].iter().all(|byte| matches!(byte, b'0' | b'.'));
    let tiny = value.is_subnormal() || value == 0.0;
    Parsed { value, single, length, out_of_range: !zero && (value.is_infinite() || tiny) }
}

fn nan_payload(text: &[u8]) -> usize {
    if text.first() != Some(&b'(') {
        return 0;
    }
    let inside = text[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let inside = inside.count();
    if text.get(1 + inside) == Some(&b')') { inside + 2 } else { 0 }
}

struct Mantissa {
    length: usize,
    /// It has a digit.
    digits: bool,
}

fn mantissa(text: &[u8], is_digit: fn(&u8) -> bool) -> Mantissa {
    let whole = text.iter().take_while(|byte| is_digit(byte)).count();
    if text.get(whole) != Some(&b'.') {
        return Mantissa { length: whole, digits: whole > 0 };
    }
    let fraction = text[whole + 1..].iter().take_while(|byte| is_digit(byte)).count();
    Mantissa { length: whole + 1 + fraction, digits: whole + fraction > 0 }
}

/// The value and the length of `e±digits`; 0 if it is not there.
fn exponent(text: &[u8], letter: u8) -> (i64, usize) {
    if text.first().map(u8::to_ascii_lowercase) != Some(letter) {
        return (0, 0);
    }
    let signed = matches!(text.get(1), Some(b'+' | b'-'));
    let digits: Range<usize> = {
        let start = 1 + usize::from(signed);
        let count = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        start..start + count
    };
    if digits.is_empty() {
        return (0, 0);
    }
    let magnitude = text[digits.clone()].iter().fold(0i64, |n, byte| {
        // Far beyond any exponent, whatever the mantissa.
        (n * 10 + i64::from(byte - b'0')).min(1 << 40)
    });
    (if text[1] == b'-' { -magnitude } else { magnitude }, digits.end)
}

/// Digits with a point, times a power of two.
fn hexadecimal(digits: &[u8], exponent: i64) -> Parsed {
    // 64 bits of the mantissa; the last one says whether anything follows.
    let (mut bits, mut exponent, mut behind_point) = (0u64, exponent, false);
    for &byte in digits {
        let Some(digit) = (byte as char).to_digit(16) else {
            behind_point = true;
            continue;
        };
        if bits >> 60 == 0 {
            bits = bits << 4 | u64::from(digit);
            exponent -= if behind_point { 4 } else { 0 };
        } else {
            bits |= u64::from(digit != 0);
            exponent += if behind_point { 0 } else { 4 };
        }
    }
    let value = f64::from_bits(round(bits, exponent, 52, 1023));
    let single = f32::from_bits(round(bits, exponent, 23, 127) as u32);
    let tiny = value.is_subnormal() || value == 0.0;
    let out_of_range = bits != 0 && (value.is_infinite() || tiny);
    Parsed { value, single, length: 0, out_of_range }
}

/// The bits of the number `bits * 2^exponent` in a format with this many bits of fraction, to even.
fn round(bits: u64, exponent: i64, fraction: u32, bias: i64) -> u64 {
    if bits == 0 {
        return 0;
    }
    let infinite = ((2 * bias + 1) as u64) << fraction;
    let zeros = bits.leading_zeros();
    // 1.f * 2^e
    let (bits, e) = (bits << zeros, exponent + 63 - i64::from(zeros));
    if e > bias {
        return infinite;
    }
    let subnormal = (1 - bias - e).max(0);
    let drop = i64::from(63 - fraction) + subnormal;
    if drop > 64 {
        return 0;
    }
    let wide = u128::from(bits);
    let (kept, rest) = (wide >> drop, wide & ((1 << drop) - 1));
    let half = 1u128 << (drop - 1);
    let up = rest > half || rest == half && kept & 1 == 1;
    let kept = (kept + u128::from(up)) as u64;
    // The hidden bit carries into the exponent, and so does rounding up.
    let biased = if subnormal > 0 { 0 } else { (e + bias - 1) as u64 };
    ((biased << fraction) + kept).min(infinite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_they_end() {
        for (text, value, length) in [
            ("1.5x", 1.5, 3),
            ("  -2e3e", -2000.0, 6),
            (".5.", 0.5, 2),
            ("5.", 5.0, 2),
            ("1e+", 1.0, 1),
            ("0x", 0.0, 1),
            ("0x1.8p1", 3.0, 7),
            ("0x.8", 0.5, 4),
            ("infinit", f64::INFINITY, 3),
            ("-INFINITY", f64::NEG_INFINITY, 9),
            ("abc", 0.0, 0),
            ("+", 0.0, 0),
            ("", 0.0, 0),
        ] {
            let parsed = parse(text.as_bytes());
            assert_eq!((parsed.value, parsed.length), (value, length), "{text}");
        }
        assert_eq!(parse(b"nan(12)").length, 7);
        assert!(parse(b"nan").value.is_nan());
    }

    #[test]
    fn hexadecimal_numbers_round_to_even() {
        assert_eq!(parse(b"0x1.00000000000008p0").value, 1.0);
        assert_eq!(parse(b"0x1.00000000000018p0").value, 1.0 + 2.0 * f64::EPSILON);
        assert_eq!(parse(b"0x1.000000000000080000000001p0").value, 1.0 + f64::EPSILON);
        assert_eq!(parse(b"0x1p-1074").value, f64::from_bits(1));
        assert_eq!(parse(b"0x1p-1075").value, 0.0);
        assert_eq!(parse(b"0x1.8p-1075").value, f64::from_bits(1));
        assert_eq!(parse(b"0x1.fffffffffffff8p1023").value, f64::INFINITY);
        assert_eq!(parse(b"0x1p99999999999999999999").value, f64::INFINITY);
        assert_eq!(parse(b"0x0p99999999999").value, 0.0);
        assert_eq!(parse(b"0x1.000001p0").single, 1.0);
    }

    #[test]
    fn the_range_is_noticed() {
        assert!(parse(b"1e999").out_of_range);
        assert!(parse(b"1e-999").out_of_range);
        assert!(!parse(b"0e-999").out_of_range);
        assert!(!parse(b"inf").out_of_range);
    }
}
