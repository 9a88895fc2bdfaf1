//! The ranking: one list of suspects from what all techniques found.
//!
//! A suspect is a line of the source ([`lines`]). Techniques, the run and the text give *clues*; each is worth some points, the same
//! for all programs ([`Clue::weight`]). The sum of them orders the lines of a program, and says how likely each is: among
//! all of them, its share of `e` to the power of its points. The points were fitted to programs whose faults are known.

mod clue;
mod collect;
mod lines;
mod solutions;

use failure::Failure;
use program::{SiteId, Span};
use repair::claims::Solution;

pub use self::clue::{Clue, points};
use self::collect::{Known, collect};
pub use self::lines::Line;
use self::lines::Lines;
pub use self::solutions::{LIKELY, OF_SOLUTIONS, Ordered};
use crate::diagnose::Diagnosis;

/// What has less than this share of all is not listed, unless the list would be shorter than this.
const LEAST: f64 = 0.01;
const FEWEST: usize = 5;

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
    /// If it was not executed: the line of the decision around it, which was.
    pub skipped: Option<u32>,
    /// The solutions that edit it: their places in the order of all.
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

/// The suspects and the solutions, the best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    pub suspects: Vec<Suspect>,
    pub solutions: Vec<Ordered>,
}

pub fn rank(failures: &[Failure<'_>], diagnosis: &Diagnosis) -> Ranking {
    let Some(failure) = failures.first() else { return Ranking::default() };
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
    let mut number = 0;
    found.retain(|(_, suspect)| {
        number += 1;
        number <= FEWEST || suspect.score >= LEAST
    });
    let mut suspects: Vec<Suspect> = found.into_iter().map(|(_, suspect)| suspect).collect();
    let Some(repair) = &diagnosis.repair else {
        return Ranking { suspects, solutions: Vec::new() };
    };
    let lines = Lines::of(failure.program);
    let line = |it: &Solution| lines.at(failure.program, it.file, it.place.start);
    let share = |it: &Solution| {
        let line = line(it);
        suspects.iter().find(|it| Some(it.line) == line).map_or(0.0, |it| it.score)
    };
    let solutions = solutions::ordered(repair, &share, is_alone(diagnosis));
    for (place, ordered) in solutions.iter().enumerate() {
        let line = line(&repair.solutions[ordered.number]);
        let own = suspects.iter_mut().find(|it| Some(it.line) == line);
        own.into_iter().for_each(|it| it.fixes.push(place));
    }
    Ranking { suspects, solutions }
}

/// Whether there is one test only.
fn is_alone(diagnosis: &Diagnosis) -> bool {
    diagnosis.spectrum.as_ref().is_none_or(|it| it.passed + it.failed < 2)
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
    let skipped = known.written.within.filter(|_| known.has(Clue::Skipped));
    let (clues, fixes) = (known.clues(), Vec::new());
    Some(Suspect { line, span, site, sites, score, clues, skipped, fixes })
}
