//! The output, where it is not the expected one.
//!
//! At the first byte that differs, the call that writes it fails. If a directive of printf wrote it, the expected text is read
//! with the same conversion: that gives the value that would have been right.

use std::ops::Range;

use program::FailureKind;
use program::process::{Detail, Fault, Right, Scalar, WrongOutput};

use crate::compare::{Compare, Expected, Place, Rest};
use crate::printf::{Directed, Part, Spec, Value};
use crate::right::{preferred, right_bytes, right_of, right_values};

/// Messages show at most this many bytes of a text.
const MOST_SHOWN: usize = 200;

/// What a call that writes knows about its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// printf: by part.
    Parts(&'a [Part]),
    /// The string that this argument points to.
    String(u32),
    /// What this argument points to, so much as others say.
    Area(u32),
    /// One byte, the value of this argument.
    Byte(u32),
    Unknown,
}

/// Something that is printed, and where in the expected output that may be: the first place is the likeliest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printing<'a> {
    pub expected: Expected<'a>,
    pub places: &'a [Place],
    pub bytes: &'a [u8],
    pub source: Source<'a>,
}

/// Writes bytes where it is not known how far the output has come: only these places are possible. They are the
/// places after it.
pub(crate) fn go_on(
    expected: Expected<'_>,
    places: &mut Vec<Place>,
    bytes: &[u8],
    source: Source<'_>,
) -> Result<(), Fault> {
    let before = std::mem::take(places);
    places.extend(before.iter().filter_map(|place| expected.advance(place, bytes).ok()));
    places.dedup();
    if !places.is_empty() {
        return Ok(());
    }
    // Where it is right for longest.
    let right_until = |place: &Place| expected.advance(place, bytes).err().unwrap_or(bytes.len());
    let longest = before.iter().map(right_until).max().unwrap_or(0);
    let best = before.iter().find(|place| right_until(place) == longest);
    let best = best.cloned().unwrap_or_default();
    let output = [&expected.text[..best.at], bytes].concat();
    Err(wrong(expected, &output, best.at, &best, source))
}

/// The failure of a call whose bytes begin at `start` in the output and at `place` in the expected one, and are wrong.
pub(crate) fn wrong(
    expected: Expected<'_>,
    output: &[u8],
    start: usize,
    place: &Place,
    source: Source<'_>,
) -> Fault {
    let bytes = &output[start..];
    let length = expected.advance(place, bytes).err().unwrap_or(bytes.len());
    let there = expected.advance(place, &bytes[..length]).unwrap_or_default();
    let at = start + length;
    let (right_line, own_line) =
        seen(line_around(expected.text, there.at), line_around(output, at), expected.compare);
    let mut it = WrongOutput {
        argument: None,
        expected: None,
        right: None,
        byte: None,
        earlier: Vec::new(),
        indifferent: Vec::new(),
        position: there.at as u64,
        expected_text: right_line,
        actual_text: own_line,
        line: line_number(output, at),
    };
    // Of a number that is compared as a whole, no byte is to blame.
    let right_byte = expected.text.get(there.at).copied().filter(|_| there.begun.is_empty());
    let places = [place.clone()];
    let printing = Printing { expected, places: &places, bytes, source };
    match source {
        Source::Unknown => {}
        Source::String(argument) | Source::Area(argument) => {
            it.argument = Some(argument);
            it.byte = right_byte.map(|byte| (length as u64, byte));
        }
        Source::Byte(argument) => {
            it.argument = Some(argument);
            it.expected = right_byte.map(|byte| Scalar::new(byte.into()));
            it.right = it.expected.and(printing.own_right());
        }
        Source::Parts(parts) => {
            let blamed = blame(&printing, length, parts);
            it.indifferent = indifferent(bytes, parts, length, blamed.as_ref());
            if let Some(blamed) = blamed {
                it.argument = blamed.argument;
                it.expected = blamed.value;
                it.right = blamed.right;
                it.earlier = printing.right_of_parts(&parts[..blamed.index]);
                // Padding is not in memory; then no byte of the text is known to be wrong.
                let from = blamed.actual.start;
                it.byte = match (blamed.unpadded, right_byte) {
                    (true, Some(byte)) if blamed.actual.contains(&length) => {
                        Some(((length - from) as u64, byte))
                    }
                    _ => None,
                };
                let (right, own) = (&expected.text[blamed.text], &bytes[blamed.actual]);
                if right != own {
                    (it.expected_text, it.actual_text) = (shown(right), shown(own));
                }
            }
        }
    }
    Fault { kind: FailureKind::WrongOutput, detail: Detail::Output(it) }
}

/// The failure of a program that ended too early.
pub(crate) fn incomplete(expected: Expected<'_>, output: &[u8], place: &Place) -> Fault {
    wrong(expected, output, output.len(), place, Source::Unknown)
}

/// What was expected of a directive.
struct Blamed {
    argument: Option<u32>,
    value: Option<Scalar>,
    /// In the expected output.
    text: Range<usize>,
    /// In the output.
    actual: Range<usize>,
    /// All values that are right so far.
    right: Option<Right>,
    /// Which part it is.
    index: usize,
    /// Whether it is a text, printed as it is in memory.
    unpadded: bool,
}

/// The directive that wrote the wrong byte, the one behind so many.
fn blame(printing: &Printing<'_>, length: usize, parts: &[Part]) -> Option<Blamed> {
    let index = parts.iter().position(|part| part.range.contains(&length))?;
    if parts[index].directive.is_some() {
        return read(printing, parts, index);
    }
    // 12 was printed instead of 123: what differs is the text behind the directive that is to blame.
    let before = index.checked_sub(1)?;
    if parts[before].range.end != length {
        return None;
    }
    let blamed = read(printing, parts, before)?;
    let right = &printing.expected.text[blamed.text.clone()];
    (right != &printing.bytes[blamed.actual.clone()]).then_some(blamed)
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
fn read(printing: &Printing<'_>, parts: &[Part], index: usize) -> Option<Blamed> {
    let part = &parts[index];
    let directed = part.directive.as_ref()?;
    let rest = printing.texts(part.range.start).into_iter().next()?;
    let following = following(printing.bytes, parts, index);
    let values = right_values(directed, &rest, following);
    let own = length_before(&rest, following);
    let (length, value) = match directed.value {
        Value::Text(_) => (own, None),
        _ => match preferred(&values, &rest, following) {
            Some((_, value)) if rest.number().is_some() => (own, Some(*value)),
            Some((printed, value)) => {
                let end = rest.after(printed).map_or(rest.place.at, |rest| rest.place.at);
                (end - rest.place.at, Some(*value))
            }
            None => (length_before(&rest, b""), None),
        },
    };
    let actual = part.range.clone();
    let unpadded = match &directed.value {
        Value::Text(_) => directed.spec.width == 0,
        _ => false,
    };
    let end = printing.expected.text.len();
    let text = rest.place.at..(rest.place.at + length).min(end);
    // No text is tried out but the one that is expected.
    let is_tried = value.is_some() || !values.is_empty();
    let right = is_tried.then(|| right_of(directed, &[rest], following));
    Some(Blamed { argument: directed.argument, value, text, actual, right, index, unpadded })
}

/// The text of the format that follows a directive.
fn following<'o>(bytes: &'o [u8], parts: &[Part], index: usize) -> &'o [u8] {
    match parts.get(index + 1) {
        Some(Part { range, directive: None }) => bytes.get(range.clone()).unwrap_or_default(),
        _ => &[],
    }
}

impl<'a> Printing<'a> {
    /// What is expected behind the first bytes, wherever these are right.
    fn texts(&self, length: usize) -> Vec<Rest<'a>> {
        let before = &self.bytes[..length];
        let rests = self.places.iter().map(|place| self.expected.rest(place));
        rests.filter_map(|rest| rest.after(before)).collect()
    }

    /// What is right of the byte that is printed, if it is only one.
    fn own_right(&self) -> Option<Right> {
        Some(right_bytes(*self.bytes.first()?, &self.texts(0)))
    }

    fn right_of_part(&self, parts: &[Part], index: usize) -> Option<Right> {
        let part = &parts[index];
        let directed = part.directive.as_ref()?;
        let texts = self.texts(part.range.start);
        Some(right_of(directed, &texts, following(self.bytes, parts, index)))
    }

    /// Which arguments are right that these parts printed.
    fn right_of_parts(&self, parts: &[Part]) -> Vec<(u32, Right)> {
        let Source::Parts(all) = self.source else { return Vec::new() };
        let mut found = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let Some(directed) = &part.directive else { continue };
            found.extend(directed.sizes.iter().map(|&size| (size, Right::Unknown)));
            // What is not an argument of its own is somewhere in memory.
            let Some(argument) = directed.argument else { continue };
            // Nor is what a text is.
            if matches!(directed.value, Value::Text(_)) && directed.printed_bits == 8 {
                continue;
            }
            found.extend(self.right_of_part(all, index).map(|right| (argument, right)));
        }
        found
    }
}

/// How long a text is if this follows; it ends with the line, or the word, at the latest if nothing does.
fn length_before(rest: &Rest<'_>, following: &[u8]) -> usize {
    let text = rest.text();
    let find = |part: &[u8]| text.windows(part.len().max(1)).position(|window| window == part);
    if let (Compare::Tokens(_), true) = (rest.expected.compare, following.trim_ascii().is_empty()) {
        return text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    }
    let found = if following.is_empty() { None } else { find(following) };
    found.or_else(|| find(b"\n")).unwrap_or(text.len())
}

fn line_number(output: &[u8], at: usize) -> u64 {
    1 + output[..at].iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// A line, with its end.
fn line_around(text: &[u8], at: usize) -> &[u8] {
    let at = at.min(text.len());
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    let end = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |i| at + i + 1);
    &text[start..end]
}

/// Two lines that differ. If they differ in white space only, that is made visible.
fn seen(right: &[u8], own: &[u8], compare: Compare) -> (String, String) {
    if compare != Compare::Exact || right.trim_ascii_end() != own.trim_ascii_end() {
        let line = |text: &[u8]| shown(text.strip_suffix(b"\n").unwrap_or(text));
        return (line(right), line(own));
    }
    let visible = |text: &[u8]| {
        let text = shown(text);
        text.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
    };
    (visible(right), visible(own))
}

fn shown(text: &[u8]) -> String {
    let short = String::from_utf8_lossy(&text[..text.len().min(MOST_SHOWN)]);
    if text.len() > MOST_SHOWN { format!("{short}…") } else { short.into_owned() }
}
