//! The values that a directive of printf would print as the text that is expected.

use program::process::Scalar;

use crate::call::mask;
use crate::decimal;
use crate::expect::trimmed;
use crate::printf::{Directed, Value, render, sign_extend};

/// Longer texts are not tried as numbers.
const MOST_DIGITS: usize = 400;

/// The values that the directive would print as the beginning of the text, and how long that is, the longest first. They
/// are followed by what follows in the format. If nothing does, there may be several: the next call may complete the number.
pub(crate) fn right_values(
    directed: &Directed,
    text: &[u8],
    following: &[u8],
) -> Vec<(usize, Scalar)> {
    let spec = &directed.spec;
    let blanks = text.iter().take_while(|&&byte| byte == b' ').count();
    if let Value::Char(_) = directed.value {
        let place = if spec.flags.left { 0 } else { spec.width.saturating_sub(1) };
        let byte = text.get(place).copied();
        let value = byte.and_then(|byte| check(directed, Value::Char(byte), text, byte.into()));
        return value.into_iter().collect();
    }
    let number = &text[blanks..];
    let longest =
        number.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
    let lengths = (1..=longest.count().min(MOST_DIGITS)).rev();
    let mut found: Vec<_> =
        lengths.filter_map(|length| invert(directed, &number[..length], text)).collect();
    // What is printed as 1.0 may be read from 1, too.
    found.dedup_by_key(|(length, _)| *length);
    // `%.0d` prints nothing for 0.
    found.extend(invert(directed, b"0", &[]));
    // White space at the very end does not matter.
    let at_end = |rest: &[u8]| trimmed(rest) == 0 && trimmed(following) == 0;
    found.retain(|&(length, _)| text[length..].starts_with(following) || at_end(&text[length..]));
    found
}

/// The one that is most likely meant: if nothing follows in the format, a whole word.
pub(crate) fn preferred(
    values: &[(usize, Scalar)],
    text: &[u8],
    following: &[u8],
) -> Option<(usize, Scalar)> {
    let is_word = |&&(length, _): &&(usize, Scalar)| {
        !text.get(length).is_some_and(|byte| byte.is_ascii_alphanumeric())
    };
    match following {
        [] => values.iter().find(is_word).copied(),
        _ => values.first().copied(),
    }
}

/// How many bits of the argument are printed, if these are not all.
pub(crate) fn printed_bits(directed: &Directed) -> Option<u32> {
    match directed.value {
        Value::Char(_) => Some(8),
        Value::Signed(_) | Value::Unsigned(_) => {
            Some(directed.printed_bits).filter(|&bits| bits < directed.argument_bits)
        }
        _ => None,
    }
}

/// The value that is written as this number, if the directive prints it in the same way.
fn invert(directed: &Directed, number: &[u8], text: &[u8]) -> Option<(usize, Scalar)> {
    let digits = std::str::from_utf8(number).ok()?;
    match directed.value {
        Value::Signed(_) => {
            let n: i64 = digits.parse().ok()?;
            let fits = sign_extend(n as u64, directed.printed_bits) == n;
            fits.then(|| check(directed, Value::Signed(n), text, n as u64))?
        }
        Value::Unsigned(_) | Value::Pointer(_) => {
            let (base, digits) = match directed.spec.conversion {
                b'o' => (8, digits),
                b'x' | b'X' | b'p' => {
                    (16, digits.trim_start_matches("0x").trim_start_matches("0X"))
                }
                b'b' | b'B' => (2, digits),
                _ => (10, digits),
            };
            let n = u64::from_str_radix(digits, base).ok()?;
            let value = match directed.value {
                Value::Pointer(_) => Value::Pointer(n),
                _ => Value::Unsigned(n),
            };
            let fits = u128::from(n) & !mask(directed.printed_bits) == 0;
            fits.then(|| check(directed, value, text, n))?
        }
        Value::Float(_) | Value::LongDouble(_) => {
            let parsed = decimal::parse(number);
            let value = match directed.value {
                Value::LongDouble(_) => Value::LongDouble(parsed.value),
                _ => Value::Float(parsed.value),
            };
            let whole = parsed.length == number.len();
            whole.then(|| check(directed, value, text, parsed.value.to_bits()))?
        }
        Value::Char(_) | Value::Text(_) => None,
    }
}

fn check(directed: &Directed, value: Value, text: &[u8], bits: u64) -> Option<(usize, Scalar)> {
    let printed = render(&directed.spec, &value);
    let bits = u128::from(bits) & mask(directed.argument_bits);
    text.starts_with(&printed).then(|| (printed.len(), Scalar::new(bits)))
}

/// The floating-point numbers that the directive prints like this one.
pub(crate) fn range(directed: &Directed, value: Scalar) -> Option<(Scalar, Scalar)> {
    let Value::Float(_) = directed.value else { return None };
    let value = f64::from_bits(value.bits as u64);
    if !value.is_finite() {
        return None;
    }
    let text = render(&directed.spec, &Value::Float(value));
    // Numbers of one sign are in the order of their bits.
    let (bits, most) = (value.to_bits(), f64::MAX.to_bits() | value.to_bits() & 1 << 63);
    let same = |bits: u64| render(&directed.spec, &Value::Float(f64::from_bits(bits))) == text;
    let furthest = |end: u64| {
        let (mut inside, mut outside) = (bits, end);
        while inside.abs_diff(outside) > 1 {
            let middle = inside / 2 + outside / 2 + (inside & outside & 1);
            if same(middle) { inside = middle } else { outside = middle }
        }
        inside
    };
    // The other zero, which is equal to this one, has another sign.
    let nearest = furthest(bits & 1 << 63).max(bits & 1 << 63 | 1);
    let [near, far] = [nearest, furthest(most)].map(|bits| Scalar::new(bits.into()));
    Some(if value.is_sign_positive() { (near, far) } else { (far, near) })
}
