//! The ranking: one list of suspects from what all techniques found.
//!
//! A suspect is a statement as it is written: what is nested in it, such as an argument or the operand that overflows, counts for it, and
//! all its executions count once. Techniques and the kind of the statement give *clues*; each is worth some points,
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
        groups(failure, known).into_iter().filter_map(suspect).collect();
    // Of those with the same score, the first in the source comes first.
    suspects.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.sites.cmp(&b.sites)));
    suspects
}

/// Statements, each with what is nested in it.
fn groups(failure: &Failure<'_>, known: Vec<(SiteId, Known)>) -> Vec<Vec<(SiteId, Known)>> {
    let span = |site: SiteId| failure.program.site(site).span;
    let mut known: Vec<(Span, SiteId, Known)> =
        known.into_iter().filter_map(|(site, it)| Some((span(site)?, site, it))).collect();
    known
        .sort_by_key(|(span, site, _)| (span.file, span.start, std::cmp::Reverse(span.end), *site));
    let mut groups: Vec<(Span, Vec<(SiteId, Known)>)> = Vec::new();
    for (span, site, it) in known {
        match groups.last_mut() {
            Some((outer, group)) if outer.file == span.file && span.end <= outer.end => {
                group.push((site, it));
            }
            _ => groups.push((span, vec![(site, it)])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn suspect(group: Vec<(SiteId, Known)>) -> Option<Suspect> {
    let best = group.iter().max_by(|(_, a), (_, b)| a.points().total_cmp(&b.points()))?.0;
    let sites = group.iter().map(|(site, _)| *site).collect();
    let whole = group.into_iter().map(|(_, known)| known).reduce(Known::and)?;
    if !whole.is_suspect() {
        return None;
    }
    let points = whole.points();
    let score = 1.0 / (1.0 + (-points).exp());
    let score = (score * 1000.0).round() / 1000.0;
    Some(Suspect { site: best, sites, score, clues: whole.clues() })
}
