//! The output, compared with the expected one as it is written.
//!
//! Outputs are equal if they are equal without the white space at their very ends. So a missing last newline
//! is forgiven, and nothing else is. At the first byte that differs, the call that writes it fails. If a directive of
//! printf wrote it, the expected text is read with the same conversion: that gives the value that
//! would have been right.

use std::ops::Range;

use program::FailureKind;
use program::process::{Detail, Fault, Right, Scalar, WrongOutput};

use crate::printf::{Directed, Part, Spec, Value};
use crate::right::{preferred, printed_bits, range, right_values};

/// Messages show at most this many bytes of a text.
const MOST_SHOWN: usize = 200;

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
pub(crate) fn trimmed(text: &[u8]) -> usize {
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
        also: Vec::new(),
        bits: None,
        byte: None,
        earlier: Vec::new(),
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
            it.bits = Some(8);
        }
        Source::Parts(parts) => {
            let blamed = blame(expected, output, start, at, parts);
            it.indifferent = indifferent(&output[start..], parts, at - start, blamed.as_ref());
            if let Some(blamed) = blamed {
                it.argument = blamed.argument;
                it.expected = blamed.value;
                it.range = blamed.range;
                (it.also, it.bits) = (blamed.also, blamed.bits);
                it.earlier = right(expected, output, start, &parts[..blamed.index]);
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
    /// Other values that are right so far.
    also: Vec<Scalar>,
    /// How many bits of the argument are printed, if these are not all.
    bits: Option<u32>,
    /// Which part it is.
    index: usize,
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
    let following = following(output, start, parts, index);
    let values = right_values(directed, rest, following);
    let (length, value) = match directed.value {
        Value::Text(_) => (length_before(rest, following), None),
        _ => match preferred(&values, rest, following) {
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
    let also = values.into_iter().map(|(_, other)| other).filter(|&other| Some(other) != value);
    let (argument, also, bits) = (directed.argument, also.collect(), printed_bits(directed));
    Some(Blamed { argument, value, text, actual, range, also, bits, index, unpadded })
}

/// The text of the format that follows a directive.
fn following<'o>(output: &'o [u8], start: usize, parts: &[Part], index: usize) -> &'o [u8] {
    match parts.get(index + 1) {
        Some(Part { range, directive: None }) => {
            output.get(start + range.start..start + range.end).unwrap_or_default()
        }
        _ => &[],
    }
}

/// Which other values would be right where these were printed, and right, by a call whose bytes begin at `start`.
pub(crate) fn also_right(
    expected: &[u8],
    output: &[u8],
    start: usize,
    source: Source<'_>,
) -> Vec<(u32, Right)> {
    match source {
        Source::Parts(parts) => right(expected, output, start, parts),
        Source::Byte(argument) => vec![(argument, Right::Bits(8))],
        Source::Memory(_) => Vec::new(),
    }
}

fn right(expected: &[u8], output: &[u8], start: usize, parts: &[Part]) -> Vec<(u32, Right)> {
    let mut found = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let Some(directed) = &part.directive else { continue };
        let rest = expected.get(start + part.range.start..).unwrap_or_default();
        let values = right_values(directed, rest, following(output, start, parts, index));
        let own = values.iter().find(|(length, _)| *length == part.range.len());
        let own = own.map(|&(_, value)| value);
        let one = match (&directed.value, own) {
            (Value::Text(_), _) => continue,
            (Value::LongDouble(_), _) | (_, None) => Right::Others(Vec::new()),
            // Each is one of many that are printed the same.
            (Value::Float(_), _) if values.len() > 1 => Right::Others(Vec::new()),
            _ if values.len() > 1 => {
                Right::Others(values.into_iter().map(|(_, value)| value).collect())
            }
            (Value::Float(_), Some(value)) => match range(directed, value) {
                Some((low, high)) => Right::Range(low, high),
                None => continue,
            },
            _ => match printed_bits(directed) {
                Some(bits) => Right::Bits(bits),
                None => continue,
            },
        };
        found.push((directed.argument, one));
    }
    // What is not an argument of its own is somewhere in memory, and other bytes would do.
    let place = |(argument, right): (Option<u32>, Right)| match argument {
        Some(argument) => (argument, right),
        None => (Right::IN_MEMORY, Right::Others(Vec::new())),
    };
    found.into_iter().map(place).collect()
}

/// How long a text is if this follows; it ends with the line at the latest if nothing does.
fn length_before(rest: &[u8], following: &[u8]) -> usize {
    let find = |part: &[u8]| rest.windows(part.len().max(1)).position(|window| window == part);
    let found = if following.is_empty() { None } else { find(following) };
    found.or_else(|| find(b"\n")).unwrap_or(rest.len())
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
