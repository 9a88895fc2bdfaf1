//! The ranking: one list of suspects from what all techniques found.
//!
//! A suspect is a line of the source ([`lines`]). Techniques, the run and the text give *clues*; each is worth some points, the same
//! for all programs ([`Clue::weight`]). The sum of them orders the lines of a program, and says how likely each is: among
//! all of them, its share of `e` to the power of its points. The points were fitted to programs whose faults are known.

mod clue;
mod collect;
mod lines;

use failure::Failure;
use program::{SiteId, Span};

pub use self::clue::Clue;
use self::collect::{Known, collect};
pub use self::lines::Line;
use crate::diagnose::Diagnosis;

/// A suspected line.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    pub line: Line,
    /// What to show of it: its part of which most is known, or all of its first statement.
    pub span: Span,
    /// The part of it of which most is known, if a part is executed.
    pub site: Option<SiteId>,
    /// All of its parts.
    pub sites: Vec<SiteId>,
    /// How likely it is, between 0 and 1.
    pub score: f64,
    /// How much there is of each clue, in their order.
    pub clues: Vec<(Clue, f64)>,
    /// The solutions that edit it, by their number.
    pub fixes: Vec<usize>,
}

/// A line of the program with all that is known about it, whether it is suspected or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub line: Line,
    pub is_suspect: bool,
    pub clues: Vec<(Clue, f64)>,
}

/// What is known about all lines: what the points are fitted to.
pub fn rows(failures: &[Failure<'_>], diagnosis: &Diagnosis) -> Vec<Row> {
    let all = collect(failures, diagnosis).into_iter();
    let row = |(line, known): (Line, Known)| Row {
        line,
        is_suspect: known.is_suspect(),
        clues: known.clues(),
    };
    all.map(row).collect()
}

/// The suspects, best first.
pub fn rank(failures: &[Failure<'_>], diagnosis: &Diagnosis) -> Vec<Suspect> {
    let Some(failure) = failures.first() else { return Vec::new() };
    let known = collect(failures, diagnosis);
    let points: Vec<f64> = known.values().map(Known::points).collect();
    let most = points.iter().copied().fold(f64::MIN, f64::max);
    let total: f64 = points.iter().map(|it| (it - most).exp()).sum();
    let mut found: Vec<(f64, Suspect)> = known
        .into_iter()
        .zip(points)
        .filter(|((_, known), _)| known.is_suspect())
        .filter_map(|((line, known), points)| {
            let score = (points - most).exp() / total;
            Some((points, suspect(failure, line, &known, (score * 1000.0).round() / 1000.0)?))
        })
        .collect();
    // Of those with the same points, the first in the source comes first.
    found.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.line.cmp(&other.line)));
    let mut suspects: Vec<Suspect> = found.into_iter().map(|(_, suspect)| suspect).collect();
    let lines = lines::Lines::of(failure.program);
    for (number, solution) in diagnosis.repair.iter().flat_map(|it| &it.solutions).enumerate() {
        let line = lines.at(failure.program, solution.file, solution.place.start);
        let own = suspects.iter_mut().find(|it| Some(it.line) == line);
        own.into_iter().for_each(|it| it.fixes.push(number));
    }
    suspects
}

fn suspect(failure: &Failure<'_>, line: Line, known: &Known, score: f64) -> Option<Suspect> {
    let program = failure.program;
    // Of equal parts, the first one that is the largest.
    let sites: Vec<SiteId> = known.sites.keys().copied().collect();
    let span = |site: SiteId| program.site(site).span;
    let best = known.sites.iter().filter(|(site, _)| span(**site).is_some()).max_by(
        |(a, amount), (b, other)| {
            let length = |site: SiteId| span(site).map_or(0, |it| it.end - it.start);
            amount.total_cmp(other).then(length(**a).cmp(&length(**b))).then(b.cmp(a))
        },
    );
    let site = best.map(|(site, _)| *site);
    let text = known.written.text;
    let whole = Span { file: program::FileId(line.0), start: text.start, end: text.end };
    let span = site.and_then(span).or((text.end > 0).then_some(whole))?;
    Some(Suspect { line, span, site, sites, score, clues: known.clues(), fixes: Vec::new() })
}
