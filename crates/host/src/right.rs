//! What would be right where something is printed.
//!
//! A directive of printf, or another call that prints, is followed by text that is known, or by nothing. All values are right that
//! are printed as what is expected there, and then the text that follows. There may be several: what is printed next may
//! complete them. And it may not be known where in the expected output it is printed.

use program::process::{Alike, Right, Scalar};

use crate::call::mask;
use crate::compare::Rest as Expected;
use crate::decimal;
use crate::printf::{Directed, Value, render, sign_extend};

/// Longer texts are not tried as numbers.
const MOST_DIGITS: usize = 400;
/// If more are right, it is not known which.
const MOST_VALUES: usize = 64;
/// The bytes that may be printed when nothing is expected any more.
const BLANKS: &[u8] = b"\t\n\x0c\r ";

/// What is right of a value that a directive prints where one of these texts is expected, the first of them most likely.
pub(crate) fn right_of(directed: &Directed, texts: &[Expected<'_>], following: &[u8]) -> Right {
    let near: Vec<(f64, f64)> = texts.iter().filter_map(Expected::number).collect();
    match directed.value {
        Value::LongDouble(_) | Value::Pointer(_) | Value::Text(_) => Right::Unknown,
        // Not only what is printed in the same way.
        Value::Float(_) if !near.is_empty() => match texts {
            [one] => right_near(directed, one, following),
            _ => Right::Unknown,
        },
        _ if near.iter().any(|(right, most)| *most >= 0.5 || right.fract() != 0.0) => {
            Right::Unknown
        }
        _ => {
            let values = texts.iter().flat_map(|text| right_values(directed, text, following));
            let own = render(&directed.spec, &directed.value);
            let alike = |value: Scalar| match directed.value {
                Value::Float(_) => alike(directed, value, &|text, right| text == right),
                _ => Alike::Bits(value, directed.printed_bits),
            };
            one_of(values.map(|(printed, value)| (printed, alike(value))), &own)
        }
    }
}

/// What is right of a floating-point number, if numbers may differ a little.
fn right_near(directed: &Directed, text: &Expected<'_>, following: &[u8]) -> Right {
    let Some((number, _)) = text.number() else { return Right::Unknown };
    // A number that ends here.
    let following = if following.is_empty() { b" " } else { following };
    let is_right = |printed: &[u8]| text.after(printed).is_some_and(|rest| rest.fits(following));
    let own = is_right(&render(&directed.spec, &directed.value));
    if !number.is_finite() || !is_right(&render(&directed.spec, &Value::Float(number))) {
        return if own { Right::Unknown } else { Right::OneOf(Vec::new(), None) };
    }
    let value = Scalar::new(number.to_bits().into());
    let all = alike(directed, value, &|text, _| is_right(text));
    if own { Right::Alike(all) } else { Right::OneOf(vec![all], None) }
}

/// What is right of a byte that is printed where one of these texts is expected.
pub(crate) fn right_bytes(own: u8, texts: &[Expected<'_>]) -> Right {
    let bytes = texts.iter().flat_map(|text| {
        let bytes = one_byte(text, 0).into_iter();
        bytes.filter(|&byte| text.fits(&[byte]))
    });
    let alike = |byte: u8| Alike::Bits(Scalar::new(byte.into()), 8);
    one_of(bytes.map(|byte| (vec![byte], alike(byte))), &[own])
}

/// The bytes that may be printed after so many others: the expected one first.
fn one_byte(text: &Expected<'_>, before: usize) -> Vec<u8> {
    let known = (before < text.text().trim_ascii_end().len()).then(|| text.text()[before]);
    let blanks = BLANKS.iter().copied().filter(|byte| Some(*byte) != known);
    known.into_iter().chain(blanks).collect()
}

/// One of these values, each with what it prints.
fn one_of(values: impl Iterator<Item = (Vec<u8>, Alike)>, own: &[u8]) -> Right {
    let mut found: Vec<(Vec<u8>, Alike)> = Vec::new();
    for (printed, value) in values {
        if found.iter().any(|(known, _)| *known == printed) {
            continue;
        }
        if found.len() == MOST_VALUES {
            return Right::Unknown;
        }
        found.push((printed, value));
    }
    let own = found.iter().position(|(printed, _)| printed == own);
    let values: Vec<Alike> = found.into_iter().map(|(_, value)| value).collect();
    match (&values[..], own) {
        (&[one], Some(_)) => Right::Alike(one),
        _ => Right::OneOf(values, own.map(|own| own as u32)),
    }
}

/// The values that the directive would print as the beginning of the text, and how, the longest first. They
/// are followed by what follows in the format.
pub(crate) fn right_values(
    directed: &Directed,
    expected: &Expected<'_>,
    following: &[u8],
) -> Vec<(Vec<u8>, Scalar)> {
    let text = expected.text();
    let spec = &directed.spec;
    let mut found: Vec<(Vec<u8>, Scalar)> = Vec::new();
    if let Value::Char(_) = directed.value {
        let place = if spec.flags.left { 0 } else { spec.width.saturating_sub(1) };
        let right = |byte: u8| check(directed, Value::Char(byte), expected, byte.into());
        found.extend(one_byte(expected, place).into_iter().filter_map(right));
    } else {
        let blanks = text.iter().take_while(|&&byte| byte == b' ').count();
        let number = &text[blanks..];
        let longest =
            number.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
        let lengths = (1..=longest.count().min(MOST_DIGITS)).rev();
        found.extend(lengths.filter_map(|length| invert(directed, &number[..length], expected)));
        // `%.0d` prints nothing for 0.
        found.extend(invert(directed, b"0", expected));
        // What is printed as 1.0 may be read from 1, too.
        found.dedup_by(|one, other| one.0 == other.0);
    }
    found.retain(|(printed, _)| expected.after(printed).is_some_and(|rest| rest.fits(following)));
    found
}

/// The one that is most likely meant: if nothing follows in the format, a whole word.
pub(crate) fn preferred<'v>(
    values: &'v [(Vec<u8>, Scalar)],
    text: &Expected<'_>,
    following: &[u8],
) -> Option<&'v (Vec<u8>, Scalar)> {
    let is_word = |(printed, _): &&(Vec<u8>, Scalar)| {
        let next = text.after(printed).and_then(|rest| rest.text().first().copied());
        !next.is_some_and(|byte| byte.is_ascii_alphanumeric())
    };
    match following {
        [] => values.iter().find(is_word),
        _ => values.first(),
    }
}

/// The value that is written as this number, if the directive prints it in the same way.
fn invert(directed: &Directed, number: &[u8], text: &Expected<'_>) -> Option<(Vec<u8>, Scalar)> {
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

fn check(
    directed: &Directed,
    value: Value,
    text: &Expected<'_>,
    bits: u64,
) -> Option<(Vec<u8>, Scalar)> {
    let printed = render(&directed.spec, &value);
    let bits = u128::from(bits) & mask(directed.argument_bits);
    text.fits(&printed).then(|| (printed, Scalar::new(bits)))
}

/// The floating-point numbers around one whose texts are `like` its own.
fn alike(directed: &Directed, value: Scalar, like: &dyn Fn(&[u8], &[u8]) -> bool) -> Alike {
    let number = f64::from_bits(value.bits as u64);
    if !number.is_finite() {
        return Alike::Bits(value, directed.printed_bits);
    }
    let text = render(&directed.spec, &Value::Float(number));
    // Numbers of one sign are in the order of their bits.
    let (bits, most) = (number.to_bits(), f64::MAX.to_bits() | number.to_bits() & 1 << 63);
    let same =
        |bits: u64| like(&render(&directed.spec, &Value::Float(f64::from_bits(bits))), &text);
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
    let (low, high) = if number.is_sign_positive() { (near, far) } else { (far, near) };
    Alike::Range(value, low, high)
}
