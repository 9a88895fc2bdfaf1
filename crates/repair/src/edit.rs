//! An edit: ranges of one source file, and what is written there instead.

use program::syntax::Range;

use crate::kinds::Kind;

/// One place of a text, and what is written there instead.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Replacement {
    pub range: Range,
    pub new: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The number of the source file.
    pub file: u32,
    /// In the order of the text; they do not overlap.
    pub replacements: Vec<Replacement>,
    pub kind: Kind,
    /// How much it is preferred.
    pub weight: u32,
    /// Where it is, for people: the statement or expression that is changed.
    pub place: Range,
}

impl Edit {
    /// All that it changes, from the first byte to the last.
    pub fn extent(&self) -> Range {
        let start = self.replacements.first().map_or(0, |it| it.range.start);
        let end = self.replacements.last().map_or(0, |it| it.range.end);
        Range { start, end }
    }

    /// Whether it puts something before a statement that belongs to it: a condition, or an `else`.
    pub fn new_is_guard(&self) -> bool {
        self.replacements.first().is_some_and(|it| {
            it.range.is_empty() && !it.new.trim_end().ends_with([';', '}'])
        })
    }
}

/// The text with these replacements, which are in order and do not overlap.
pub fn applied(text: &str, replacements: &[Replacement]) -> String {
    let mut result = String::with_capacity(text.len() + 32);
    let mut done = 0;
    for replacement in replacements {
        let (start, end) = (replacement.range.start as usize, replacement.range.end as usize);
        result.push_str(text.get(done..start).unwrap_or(""));
        result.push_str(&replacement.new);
        done = end.max(done);
    }
    result.push_str(text.get(done..).unwrap_or(""));
    result
}

/// Where a byte of the edited text comes from; where a replacement starts, if it is in one.
pub fn origin(replacements: &[Replacement], at: u32) -> u32 {
    let mut shift = 0i64;
    for replacement in replacements {
        let start = i64::from(replacement.range.start) + shift;
        let end = start + replacement.new.len() as i64;
        if i64::from(at) < start {
            break;
        }
        if i64::from(at) < end {
            return replacement.range.start;
        }
        shift += replacement.new.len() as i64 - i64::from(replacement.range.len());
    }
    (i64::from(at) - shift) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replacement(start: u32, end: u32, new: &str) -> Replacement {
        Replacement { range: Range { start, end }, new: new.to_owned() }
    }

    #[test]
    fn texts_and_places() {
        let all = [replacement(0, 1, "xy"), replacement(3, 3, "++"), replacement(4, 6, "")];
        assert_eq!(applied("abcdefg", &all), "xybc++dg");
        let origins: Vec<u32> = (0..8).map(|at| origin(&all, at)).collect();
        assert_eq!(origins, [0, 0, 1, 2, 3, 3, 3, 6]);
    }
}
