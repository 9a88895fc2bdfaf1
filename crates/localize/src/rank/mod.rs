//! The ranking: one list of suspects from what all techniques found.
//!
//! A suspect is a statement as it is written: what is nested in it, such as an argument or the operand that overflows, counts for it. So do
//! all parts of the head of a loop, and of a condition. All its executions count once. Techniques and the kind of the statement give *clues*; each is worth some points,
//! the same for all programs ([`Clue::weight`]). The score is their sum, brought between 0 and 1.

mod clue;
mod collect;

use failure::Failure;
use program::{SiteId, Span};

pub use self::clue::Clue;
use self::collect::{Known, collect};
use crate::diagnose::Diagnosis;

/// A suspected statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// The part of it that has the most points by itself.
    pub site: SiteId,
    /// All of it; the first is the statement.
    pub sites: Vec<SiteId>,
    /// Between 0 and 1.
    pub score: f64,
    /// How much there is of each clue, in their order.
    pub clues: Vec<(Clue, f64)>,
}

/// The suspects, best first.
pub fn rank(failures: &[Failure<'_>], diagnosis: &Diagnosis) -> Vec<Suspect> {
    let Some(failure) = failures.first() else { return Vec::new() };
    let known = collect(failures, failure, diagnosis);
    let mut suspects: Vec<Suspect> =
        groups(failure, known).into_iter().filter_map(|group| suspect(group, diagnosis)).collect();
    // Of those with the same score, the first in the source comes first.
    suspects.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.sites.cmp(&b.sites)));
    suspects
}

/// Where a pair of parentheses begins, and the line.
type Header = (u32, u32);
/// Parts of a statement, with what is known about each.
type Group = Vec<(SiteId, Known)>;

/// Statements, each with what is nested in it. What is in the parentheses of one `if`, `while` or `for` belongs together.
fn groups(failure: &Failure<'_>, known: Group) -> Vec<Group> {
    let span = |site: SiteId| failure.program.site(site).span;
    let mut known: Vec<(Span, SiteId, Known)> =
        known.into_iter().filter_map(|(site, it)| Some((span(site)?, site, it))).collect();
    known
        .sort_by_key(|(span, site, _)| (span.file, span.start, std::cmp::Reverse(span.end), *site));
    let mut groups: Vec<(Span, Option<Header>, Group)> = Vec::new();
    for (span, site, it) in known {
        let file = failure.program.file(span);
        // Of several lines, each can be wrong by itself.
        let header = header(&file.text, span.start);
        let header = header.map(|begin| (begin, file.position(span.start).line));
        match groups.last_mut() {
            Some((outer, in_header, group))
                if outer.file == span.file
                    && (span.end <= outer.end || header.is_some() && header == *in_header) =>
            {
                outer.end = outer.end.max(span.end);
                group.push((site, it));
            }
            _ => groups.push((span, header, vec![(site, it)])),
        }
    }
    groups.into_iter().map(|(_, _, group)| group).collect()
}

/// Where the parentheses begin that a place of the source is in, or the braces of an initial value: the outermost, within a block.
fn header(text: &str, at: u32) -> Option<u32> {
    const FARTHEST: usize = 1000;
    let before = text.as_bytes().get(..at as usize)?;
    let mut closed = 0;
    let mut outermost = None;
    for index in (before.len().saturating_sub(FARTHEST)..before.len()).rev() {
        match before[index] {
            b')' | b'}' => closed += 1,
            b'(' | b'{' if closed > 0 => closed -= 1,
            b'{' if !is_value(&before[..index]) => break,
            b'(' | b'{' => outermost = Some(index as u32),
            _ => {}
        }
    }
    outermost
}

/// Whether a brace after this is that of an initial value, not of a block.
fn is_value(before: &[u8]) -> bool {
    matches!(before.trim_ascii_end().last(), Some(b'=' | b',' | b'{' | b'('))
}

fn suspect(group: Group, diagnosis: &Diagnosis) -> Option<Suspect> {
    let best = group.iter().max_by(|(_, a), (_, b)| a.points().total_cmp(&b.points()))?.0;
    let sites = group.iter().map(|(site, _)| *site).collect();
    let mut whole = group.into_iter().map(|(_, known)| known).reduce(Known::and)?;
    whole.conclude(diagnosis.changes.is_some());
    if !whole.is_suspect() {
        return None;
    }
    let points = whole.points();
    let score = 1.0 / (1.0 + (-points).exp());
    let score = (score * 1000.0).round() / 1000.0;
    Some(Suspect { site: best, sites, score, clues: whole.clues() })
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn what_belongs_together() {
        let of = |text: &str, part: &str| header(text, text.find(part).unwrap_or(0) as u32);
        let line = "{ x = 1; for (i = 0; f(i) < n; i++) y = g(2); }";
        assert_eq!(of(line, "x = 1"), None);
        assert!(of(line, "i = 0").is_some());
        assert_eq!(of(line, "i = 0"), of(line, "i++"));
        assert_eq!(of(line, "f(i)"), of(line, "i++"));
        assert_eq!(of(line, "y = g"), None);
        assert_ne!(of(line, "2)"), of(line, "i++"));
        let table = "int t[2][2] = { { 1, 2 }, { 3, 4 } };";
        assert!(of(table, "1,").is_some());
        assert_eq!(of(table, "1,"), of(table, "4 }"));
    }

    #[test]
    fn weights_have_names() {
        use super::Clue;
        let mut names: Vec<&str> = Clue::ALL.iter().map(|clue| clue.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Clue::ALL.len());
    }
}
