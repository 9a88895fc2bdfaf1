//! The output, compared with the expected one as it is written.
//!
//! Outputs are equal if they are equal without the white space at their very ends. So a missing last newline
//! is forgiven, and nothing else is. At the first byte that differs, the call that writes it fails. If a directive of
//! printf wrote it, the expected text is read with the same conversion: that gives the value that
//! would have been right.

use std::ops::Range;

use program::FailureKind;
use program::process::{Detail, Fault, Scalar, WrongOutput};

use crate::call::mask;
use crate::decimal;
use crate::printf::{Directed, Part, Spec, Value, render, sign_extend};

/// Messages show at most this many bytes of a text.
const MOST_SHOWN: usize = 200;
/// Longer texts are not tried as numbers.
const MOST_DIGITS: usize = 400;

/// What a call that writes knows about its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// printf: by part.
    Parts(&'a [Part]),
    /// All bytes are those that this argument points to.
    Memory(Option<u32>),
    /// One byte, the value of this argument.
    Byte(u32),
}

/// The length without white space at the end.
fn trimmed(text: &[u8]) -> usize {
    text.trim_ascii_end().len()
}

/// Where the output, known to be right up to `from`, first differs.
pub(crate) fn first_difference(expected: &[u8], output: &[u8], from: usize) -> Option<usize> {
    let end = trimmed(expected);
    (from..output.len()).find(|&i| match output[i] {
        byte if i < end => byte != expected[i],
        byte => !byte.is_ascii_whitespace(),
    })
}

/// Whether output that is right so far is all that was expected.
pub(crate) fn is_complete(expected: &[u8], output: &[u8]) -> bool {
    output.len() >= trimmed(expected)
}

/// Writes bytes where it is not known how far the output has come: only these places are possible. They are the
/// places after it, or it fails as it would at the first of them.
pub(crate) fn go_on(
    expected: &[u8],
    places: &mut Vec<usize>,
    bytes: &[u8],
    source: Source<'_>,
) -> Result<(), Fault> {
    let first = places.first().copied().unwrap_or(0);
    // At another place, other values may be right.
    let several = places.len() > 1;
    let end = trimmed(expected);
    let is_right = |place: usize| {
        bytes.iter().enumerate().all(|(n, byte)| match place + n {
            at if at < end => expected[at] == *byte,
            _ => byte.is_ascii_whitespace(),
        })
    };
    places.retain(|&place| is_right(place));
    for place in places.iter_mut() {
        *place = (*place + bytes.len()).min(expected.len());
    }
    places.dedup();
    if !places.is_empty() {
        return Ok(());
    }
    let output = [&expected[..first], bytes].concat();
    let at = first_difference(expected, &output, first).unwrap_or(first);
    let mut fault = wrong(expected, &output, first, at, source);
    if let (true, Detail::Output(it)) = (several, &mut fault.detail) {
        it.indifferent.clear();
    }
    Err(fault)
}

/// The failure of a call whose bytes begin at `start` in the output, and are wrong at `at`.
pub(crate) fn wrong(
    expected: &[u8],
    output: &[u8],
    start: usize,
    at: usize,
    source: Source<'_>,
) -> Fault {
    let mut it = WrongOutput {
        argument: None,
        expected: None,
        range: None,
        byte: None,
        indifferent: Vec::new(),
        position: at as u64,
        expected_text: shown(line_around(expected, at)),
        actual_text: shown(line_around(output, at)),
        line: line_number(output, at),
    };
    match source {
        Source::Memory(argument) => {
            it.argument = argument;
            it.byte = expected.get(at).map(|&byte| ((at - start) as u64, byte));
        }
        Source::Byte(argument) => {
            it.argument = Some(argument);
            it.expected = expected.get(at).map(|&byte| Scalar::new(byte.into()));
        }
        Source::Parts(parts) => {
            let blamed = blame(expected, output, start, at, parts);
            it.indifferent = indifferent(&output[start..], parts, at - start, blamed.as_ref());
            if let Some(blamed) = blamed {
                it.argument = blamed.argument;
                it.expected = blamed.value;
                it.range = blamed.range;
                // Padding is not in memory; then no byte of the text is known to be wrong.
                let from = blamed.actual.start;
                it.byte = match (blamed.unpadded, expected.get(at)) {
                    (true, Some(&byte)) if blamed.actual.contains(&at) => {
                        Some(((at - from) as u64, byte))
                    }
                    _ => None,
                };
                it.expected_text = shown(&expected[blamed.text]);
                it.actual_text = shown(&output[blamed.actual]);
            }
        }
    }
    Fault { kind: FailureKind::WrongOutput, detail: Detail::Output(it) }
}

/// The failure of a program that ended too early.
pub(crate) fn incomplete(expected: &[u8], output: &[u8]) -> Fault {
    wrong(expected, output, output.len(), output.len(), Source::Memory(None))
}

/// What was expected of a directive.
struct Blamed {
    argument: Option<u32>,
    value: Option<Scalar>,
    /// In the expected output.
    text: Range<usize>,
    /// In the output.
    actual: Range<usize>,
    range: Option<(Scalar, Scalar)>,
    /// Whether it is a text, printed as it is in memory.
    unpadded: bool,
}

/// The directive that wrote the wrong byte.
fn blame(
    expected: &[u8],
    output: &[u8],
    start: usize,
    at: usize,
    parts: &[Part],
) -> Option<Blamed> {
    let index = parts.iter().position(|part| part.range.contains(&(at - start)))?;
    if parts[index].directive.is_some() {
        return read(expected, output, start, parts, index);
    }
    // 12 was printed instead of 123: what differs is the text behind the directive that is to blame.
    let before = index.checked_sub(1)?;
    if start + parts[before].range.end != at {
        return None;
    }
    let blamed = read(expected, output, start, parts, before)?;
    (blamed.text != blamed.actual).then_some(blamed)
}

/// The arguments that cannot make it right: where no number is right that a directive prints, or the text of the format is wrong,
/// neither it nor what is printed later matters. Nor do numbers before that, as other ones would be wrong there already.
fn indifferent(printed: &[u8], parts: &[Part], at: usize, blamed: Option<&Blamed>) -> Vec<u32> {
    let Some(index) = parts.iter().position(|part| part.range.contains(&at)) else {
        return Vec::new();
    };
    let is_number =
        |directed: &Directed| matches!(directed.value, Value::Signed(_) | Value::Unsigned(_));
    // The byte of the format that follows a directive. If it cannot be part of a number, the number ends there.
    let following = |number: usize| {
        let next = parts.get(number + 1).filter(|part| part.directive.is_none())?;
        printed.get(next.range.clone())?.first().copied()
    };
    let ends = |number: usize, spec: &Spec| {
        let is_separator = |byte: u8| !byte.is_ascii_alphanumeric() && !b"+-".contains(&byte);
        following(number).is_some_and(is_separator) && !spec.flags.left && spec.precision.is_none()
    };
    let own = match (&parts[index].directive, blamed) {
        (_, Some(blamed)) if blamed.value.is_some() => return Vec::new(),
        (None, None) => index,
        // The text behind the directive that is to blame.
        (None, Some(_)) => index - 1,
        (Some(_), _) => index,
    };
    let is_wrong_anyway = match &parts[own].directive {
        Some(directed) => is_number(directed) && following(own).is_some(),
        None => true,
    };
    if !is_wrong_anyway {
        return Vec::new();
    }
    let matters = |number: usize, directed: &Directed| match &directed.value {
        _ if number == own => false,
        Value::Text(_) => true,
        _ if number > own => false,
        _ => !is_number(directed) || !ends(number, &directed.spec),
    };
    let directives =
        parts.iter().enumerate().filter_map(|(n, part)| Some((n, part.directive.as_ref()?)));
    let others = directives.filter(|&(number, directed)| !matters(number, directed));
    others.filter_map(|(_, directed)| directed.argument).collect()
}

/// Reads what was expected of a directive where it began to print.
fn read(
    expected: &[u8],
    output: &[u8],
    start: usize,
    parts: &[Part],
    index: usize,
) -> Option<Blamed> {
    let part = &parts[index];
    let directed = part.directive.as_ref()?;
    let from = start + part.range.start;
    let rest = expected.get(from..).unwrap_or_default();
    let following = match parts.get(index + 1) {
        Some(Part { range, directive: None }) => {
            output.get(start + range.start..start + range.end).unwrap_or_default()
        }
        _ => &[],
    };
    let (length, value) = match directed.value {
        Value::Text(_) => (length_before(rest, following), None),
        _ => match candidates(directed, rest, following) {
            Some((length, value)) => (length, Some(value)),
            None => (length_before(rest, b"\n"), None),
        },
    };
    let actual = from..start + part.range.end;
    let unpadded = match &directed.value {
        Value::Text(_) => directed.spec.width == 0,
        _ => false,
    };
    let text = from..from + length;
    let range = value.and_then(|value| range(directed, value));
    Some(Blamed { argument: directed.argument, value, text, actual, range, unpadded })
}

/// How long a text is if this follows; it ends with the line at the latest if nothing does.
fn length_before(rest: &[u8], following: &[u8]) -> usize {
    let find = |part: &[u8]| rest.windows(part.len().max(1)).position(|window| window == part);
    let found = if following.is_empty() { None } else { find(following) };
    found.or_else(|| find(b"\n")).unwrap_or(rest.len())
}

/// The value that the directive would print as the beginning of the text, and how long that is. Where
/// several are possible (`%d0`), it is one that is followed by what follows in the format; if nothing does, a
/// whole word. If the text goes on in another way, no value is right.
fn candidates(directed: &Directed, text: &[u8], following: &[u8]) -> Option<(usize, Scalar)> {
    let spec = &directed.spec;
    let blanks = text.iter().take_while(|&&byte| byte == b' ').count();
    if let Value::Char(_) = directed.value {
        let place = if spec.flags.left { 0 } else { spec.width.saturating_sub(1) };
        let byte = *text.get(place)?;
        return check(directed, Value::Char(byte), text, byte.into());
    }
    let number = &text[blanks..];
    let longest =
        number.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
    let lengths = (1..=longest.count().min(MOST_DIGITS)).rev();
    let found: Vec<_> =
        lengths.filter_map(|length| invert(directed, &number[..length], text)).collect();
    // White space at the very end does not matter.
    let at_end = |rest: &[u8]| trimmed(rest) == 0 && trimmed(following) == 0;
    let fits = |&&(length, _): &&(usize, Scalar)| {
        text[length..].starts_with(following) || at_end(&text[length..])
    };
    let ends = |&&(length, _): &&(usize, Scalar)| {
        !text.get(length).is_some_and(|byte| byte.is_ascii_alphanumeric())
    };
    match following {
        [] => found.iter().find(ends).copied(),
        _ => found.iter().find(fits).copied(),
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
fn range(directed: &Directed, value: Scalar) -> Option<(Scalar, Scalar)> {
    let Value::Float(_) = directed.value else { return None };
    let value = f64::from_bits(value.bits as u64);
    if !value.is_finite() || value == 0.0 {
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
    let ends = [furthest(bits & 1 << 63), furthest(most)];
    let [near, far] = ends.map(|bits| Scalar::new(bits.into()));
    Some(if value > 0.0 { (near, far) } else { (far, near) })
}

fn line_number(output: &[u8], at: usize) -> u64 {
    1 + output[..at].iter().filter(|&&byte| byte == b'\n').count() as u64
}

fn line_around(text: &[u8], at: usize) -> &[u8] {
    let at = at.min(text.len());
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    let end = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |i| at + i);
    &text[start..end]
}

fn shown(text: &[u8]) -> String {
    let short = String::from_utf8_lossy(&text[..text.len().min(MOST_SHOWN)]);
    if text.len() > MOST_SHOWN { format!("{short}…") } else { short.into_owned() }
}
