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
use crate::right::{
    fits, preferred, right_areas, right_bytes, right_of, right_texts, right_values,
};

/// Messages show at most this many bytes of a text.
const MOST_SHOWN: usize = 200;

/// What a call that writes knows about its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// printf: by part.
    Parts(&'a [Part]),
    /// The string that this argument points to, and this behind it.
    String(u32, &'a [u8]),
    /// What the first of these arguments points to; the others say how much.
    Area(u32, &'a [u32]),
    /// One byte, the value of this argument.
    Byte(u32),
    Unknown,
}

/// Something that is printed, and where in the expected output that may be: the first place is the likeliest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printing<'a> {
    pub expected: &'a [u8],
    pub places: &'a [usize],
    pub bytes: &'a [u8],
    pub source: Source<'a>,
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
/// places after it; and which arguments would have been right.
pub(crate) fn go_on(
    expected: &[u8],
    places: &mut Vec<usize>,
    bytes: &[u8],
    source: Source<'_>,
) -> Result<Vec<(u32, Right)>, Fault> {
    let before = std::mem::take(places);
    let printing = Printing { expected, places: &before, bytes, source };
    let is_right = |place: &&usize| fits(&expected[**place..], bytes);
    let after = |place: &usize| (*place + bytes.len()).min(expected.len());
    *places = before.iter().filter(is_right).map(after).collect();
    places.dedup();
    if !places.is_empty() {
        return Ok(printing.right());
    }
    // Where it is right for longest.
    let right_until =
        |place: usize| first_difference(&expected[place..], bytes, 0).unwrap_or(bytes.len());
    let longest = before.iter().map(|&place| right_until(place)).max().unwrap_or(0);
    let best = before.iter().copied().find(|&place| right_until(place) == longest).unwrap_or(0);
    let output = [&expected[..best], bytes].concat();
    let at = first_difference(expected, &output, best).unwrap_or(best);
    let mut fault = wrong(expected, &output, best, at, source);
    if let Detail::Output(it) = &mut fault.detail {
        printing.all_that_is_right(at - best, it);
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
        right: None,
        byte: None,
        earlier: Vec::new(),
        indifferent: Vec::new(),
        position: at as u64,
        expected_text: shown(line_around(expected, at)),
        actual_text: shown(line_around(output, at)),
        line: line_number(output, at),
    };
    let printing = Printing { expected, places: &[start], bytes: &output[start..], source };
    match source {
        Source::Unknown => {}
        Source::String(argument, _) | Source::Area(argument, _) => {
            it.argument = Some(argument);
            it.byte = expected.get(at).map(|&byte| ((at - start) as u64, byte));
        }
        Source::Byte(argument) => {
            it.argument = Some(argument);
            it.expected = expected.get(at).map(|&byte| Scalar::new(byte.into()));
            it.right = it.expected.and(printing.own_right());
        }
        Source::Parts(parts) => {
            let blamed = blame(expected, output, start, at, parts);
            it.indifferent = indifferent(&output[start..], parts, at - start, blamed.as_ref());
            if let Some(blamed) = blamed {
                it.argument = blamed.argument;
                it.expected = blamed.value;
                it.right = blamed.right;
                it.earlier = printing.right_of_parts(&parts[..blamed.index]);
                it.earlier.retain(|(_, right)| !matches!(right, Right::Text(_)));
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
    wrong(expected, output, output.len(), output.len(), Source::Unknown)
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
    // It may be printed behind the end of what is expected.
    let end = expected.len();
    let text = from.min(end)..(from + length).min(end);
    // No text is tried out but the one that is expected.
    let is_tried = value.is_some() || !values.is_empty();
    let right = is_tried.then(|| right_of(directed, &[rest], following));
    Some(Blamed { argument: directed.argument, value, text, actual, right, index, unpadded })
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

impl<'a> Printing<'a> {
    /// What is expected behind the first bytes, wherever these are right.
    fn texts(&self, length: usize) -> Vec<&'a [u8]> {
        let rest = |&place: &usize| self.expected.get(place..).unwrap_or_default();
        let begins = |rest: &&[u8]| fits(rest, &self.bytes[..length]);
        let rests = self.places.iter().map(rest).filter(begins);
        rests.map(|rest| rest.get(length..).unwrap_or_default()).collect()
    }

    /// Which arguments are right where all of it is.
    pub fn right(&self) -> Vec<(u32, Right)> {
        match self.source {
            Source::Parts(parts) => self.right_of_parts(parts),
            Source::Area(argument, sizes) => self.own_right().map_or(Vec::new(), |right| {
                let sizes = sizes.iter().map(|&size| (size, Right::Unknown));
                sizes.chain([(argument, right)]).collect()
            }),
            Source::Unknown => Vec::new(),
            Source::String(argument, _) | Source::Byte(argument) => {
                self.own_right().map(|right| (argument, right)).into_iter().collect()
            }
        }
    }

    /// What is right of the argument, if only one is printed.
    fn own_right(&self) -> Option<Right> {
        let texts = self.texts(0);
        match self.source {
            Source::String(_, following) => Some(right_texts(&Spec::plain(), &texts, following)),
            Source::Area(..) => Some(right_areas(self.bytes.len(), &texts)),
            Source::Byte(_) => Some(right_bytes(*self.bytes.first()?, &texts)),
            Source::Parts(_) | Source::Unknown => None,
        }
    }

    fn right_of_part(&self, parts: &[Part], index: usize) -> Option<Right> {
        let part = &parts[index];
        let directed = part.directive.as_ref()?;
        let texts = self.texts(part.range.start);
        Some(right_of(directed, &texts, following(self.bytes, 0, parts, index)))
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
            found.extend(self.right_of_part(all, index).map(|right| (argument, right)));
        }
        found
    }

    /// Says which arguments would have made it right, wherever it is, if it is wrong behind so many bytes.
    pub fn all_that_is_right(&self, length: usize, it: &mut WrongOutput) {
        (it.expected, it.byte) = (None, None);
        it.indifferent.clear();
        match self.source {
            Source::Unknown => {}
            Source::String(argument, _) | Source::Byte(argument) => {
                (it.argument, it.right) = (Some(argument), self.own_right());
            }
            Source::Area(argument, sizes) => {
                (it.argument, it.right) = (Some(argument), self.own_right());
                it.earlier = sizes.iter().map(|&size| (size, Right::Unknown)).collect();
            }
            Source::Parts(parts) => {
                let mut upto = parts.iter().take_while(|part| part.range.start <= length).count();
                while upto > 0 && parts[upto - 1].directive.is_none() {
                    upto -= 1;
                }
                (it.argument, it.right, it.earlier) = (None, None, Vec::new());
                match upto.checked_sub(1) {
                    Some(last) => {
                        let directed = parts[last].directive.as_ref();
                        it.argument = directed.and_then(|directed| directed.argument);
                        it.right = self.right_of_part(parts, last);
                        it.earlier = self.right_of_parts(&parts[..last]);
                        let sizes = directed.into_iter().flat_map(|directed| &directed.sizes);
                        it.earlier.extend(sizes.map(|&size| (size, Right::Unknown)));
                    }
                    // The format begins with what is wrong everywhere.
                    None => {
                        let directed = parts.iter().filter_map(|part| part.directive.as_ref());
                        it.indifferent =
                            directed.filter_map(|directed| directed.argument).collect();
                    }
                }
            }
        }
    }
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
