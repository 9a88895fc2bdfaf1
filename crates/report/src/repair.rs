//! Solutions in the terms of the source: a patch, and a sentence about what was run.

use localize::rank::Ordered;
use program::Program;
use repair::claims::{Grade, Repair, Solution};
use repair::edit::applied;
use repair::judge::Verdict;

use crate::apart::{ApartReport, apart_report};
use crate::patch::patch;
use crate::places::location;
use crate::report::Location;

/// The edits with which the failing tests pass.
#[derive(Clone, Debug)]
pub struct RepairReport {
    pub solutions: Vec<SolutionReport>,
    /// What tells them apart, the best input first.
    pub apart: Vec<ApartReport>,
    /// How many edits were run, how many there are, how many the compiler refused, and how many only avoid the failure.
    pub tried: usize,
    pub known: usize,
    pub rejected: usize,
    pub refused: usize,
    /// How many times several edits were tried together.
    pub together: usize,
    pub complete: bool,
    /// If none passes: where those are with which most failing tests pass, and how many these are.
    pub nearest: Option<(Location, usize)>,
}

#[derive(Clone, Debug)]
pub struct SolutionReport {
    pub rank: usize,
    pub edits: Vec<EditReport>,
    pub kind: &'static str,
    pub weight: u32,
    pub grade: Grade,
    /// How likely it is to be right, between 0 and 1.
    pub confidence: f64,
    pub tests: usize,
    pub verdict: Verdict,
    /// One sentence: what is written instead of what, and what was seen then.
    pub says: String,
    /// The two halves of it.
    pub instead: String,
    pub seen: String,
    /// A unified diff.
    pub patch: String,
}

/// One place of the source, and what is written there instead.
#[derive(Clone, Debug)]
pub struct EditReport {
    pub location: Location,
    pub original: String,
    pub replacement: String,
}

impl RepairReport {
    /// How many edits were tried, and what came of it.
    pub fn summary(&self) -> String {
        let tried = match (self.complete, self.tried) {
            (true, 1) => "one edit was tried".to_owned(),
            (true, n) => format!("{n} edits were tried"),
            (false, n) => format!("{n} of {} edits were tried", self.known),
        };
        let tried = match self.together {
            0 => tried,
            1 => format!("{tried}, and two of them together"),
            n => format!("{tried}, and some of them together, {n} times"),
        };
        let is_partial = self.solutions.iter().any(|it| it.grade == Grade::SomeTests);
        match (self.solutions.len(), &self.nearest) {
            (1, _) if is_partial => {
                format!("{tried}, none passes all tests; with this one, some failing tests pass")
            }
            (n, _) if n > 0 && is_partial => {
                format!(
                    "{tried}, none passes all tests; with each of these {n}, some failing tests pass"
                )
            }
            (0, None) => format!("{tried}, none passes"),
            (0, Some((at, passes))) => {
                let passes = match passes {
                    1 => "one failing test passes".to_owned(),
                    n => format!("{n} failing tests pass"),
                };
                let line = at.start.line;
                format!("{tried}, none passes all tests; with one in line {line}, {passes}")
            }
            (1, _) => format!("{tried}; with this one, the tests pass"),
            (n, _) => format!("{tried}; with each of these {n}, the tests pass"),
        }
    }
}

pub fn repair_report(program: &Program, found: &Repair, order: &[Ordered]) -> RepairReport {
    let solutions = (1..).zip(order);
    RepairReport {
        solutions: solutions
            .filter_map(|(rank, it)| {
                solution(program, rank, found.solutions.get(it.number)?, it.confidence)
            })
            .collect(),
        apart: found.apart.iter().map(|it| apart_report(it, order)).collect(),
        tried: found.tried,
        known: found.known,
        rejected: found.rejected,
        refused: found.refused,
        together: found.together,
        complete: found.is_complete(),
        nearest: found.nearest.map(|(file, range, passes)| {
            let file = program::FileId(file);
            let span = program::Span { file, start: range.start, end: range.end };
            (location(program, span), passes)
        }),
    }
}

fn solution(
    program: &Program,
    rank: usize,
    of: &Solution,
    confidence: f64,
) -> Option<SolutionReport> {
    let file = program.files.get(of.file as usize)?;
    let edits = of.replacements.iter().map(|it| {
        let file = program::FileId(of.file);
        let span = program::Span { file, start: it.range.start, end: it.range.end };
        EditReport {
            location: location(program, span),
            original: program.file(span).slice(span).to_owned(),
            replacement: it.new.clone(),
        }
    });
    let new = applied(&file.text, &of.replacements);
    Some(SolutionReport {
        rank,
        edits: edits.collect(),
        kind: of.kind.name(),
        weight: of.weight,
        grade: of.grade,
        confidence,
        tests: of.tests,
        verdict: of.verdict.clone(),
        says: sentence(of),
        instead: instead(of),
        seen: seen(of),
        patch: String::from_utf8_lossy(&patch(&file.name, file.text.as_bytes(), new.as_bytes()))
            .into_owned(),
    })
}

/// What is written instead of what, and what was seen then.
pub fn sentence(of: &Solution) -> String {
    format!("{}, {}", instead(of), seen(of))
}

fn instead(of: &Solution) -> String {
    let first = written(&of.old, &of.new, is_behind(of));
    let more = of.more.iter().map(|it| written(&it.old, &it.new, it.is_behind));
    [first].into_iter().chain(more).collect::<Vec<_>>().join(", and ")
}

fn written(old: &str, new: &str, is_behind: bool) -> String {
    let short = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (old, new) = (short(old), short(new));
    match (old.is_empty(), new.is_empty()) {
        (true, _) if is_behind => format!("with `{new}` after it"),
        (true, _) => format!("with `{new}` before it"),
        (false, true) => format!("without `{old}`"),
        (false, false) => format!("with `{new}` instead of `{old}`"),
    }
}

/// Whether something is inserted behind the statement that is named.
fn is_behind(of: &Solution) -> bool {
    of.replacements.first().is_some_and(|it| it.range.start >= of.place.end)
}

/// What was seen of the tests and of inputs near the failing one.
fn seen(of: &Solution) -> String {
    let verdict = &of.verdict;
    if of.fixed < of.failing {
        let pass = if of.fixed == 1 { "passes" } else { "pass" };
        let others = match of.tests - of.failing {
            0 => String::new(),
            1 => ", and the other test still does".to_owned(),
            n => format!(", and the {n} others still do"),
        };
        return format!("{} of {} failing tests {pass}{others}", of.fixed, of.failing);
    }
    let mut text = match of.tests {
        0 | 1 => "this run does not fail".to_owned(),
        2 => "both tests pass".to_owned(),
        n => format!("all {n} tests pass"),
    };
    if verdict.alike > 0 {
        text += &format!(
            "; {} of {} like it that failed pass, too",
            verdict.repaired,
            inputs(verdict.alike)
        );
    }
    if let Some(input) = verdict.still.first() {
        text += &format!(", but `{input}` still fails");
    }
    if verdict.passing > 0 && verdict.broken == 0 {
        let same = verdict.passing - verdict.changed;
        text += &match verdict.changed {
            0 => format!("; {} that passed still do, as before", inputs(same)),
            n => format!("; of {} that passed, {n} behave otherwise now", inputs(verdict.passing)),
        };
    }
    if let Some(input) = verdict.breaks.first() {
        text += &format!("; `{input}` now fails");
    }
    text
}

fn inputs(count: usize) -> String {
    match count {
        1 => "1 input".to_owned(),
        n => format!("{n} inputs"),
    }
}
