//! Slices and spectra, as text and as JSON.

use std::fmt::Write;

use localize::spectrum::{Formula, Score};
use serde_json::{Value, json as object};

use super::json::location;
use crate::baselines::{SliceReport, SpectrumReport, SpectrumStatement};
use crate::report::Location;

/// How many statements of a spectrum are shown.
const MOST_STATEMENTS: usize = 10;

pub fn slice_text(slice: &SliceReport) -> String {
    let mut out = String::from("slice: the failure depends on what is at\n");
    out += &lines(&slice.dynamic);
    let is_listed = |at: &Location| {
        slice
            .dynamic
            .iter()
            .any(|other| (&other.file, other.start.line) == (&at.file, at.start.line))
    };
    let more: Vec<Location> = slice.relevant.iter().filter(|at| !is_listed(at)).cloned().collect();
    if !more.is_empty() {
        out += "and on decisions that kept something from being assigned, and what these depend on, at\n";
        out += &lines(&more);
    }
    out
}

/// Numbers of lines, a line of text for each file.
fn lines(places: &[Location]) -> String {
    let mut out = String::new();
    let mut rest = places;
    while let Some(first) = rest.first() {
        let here = rest.iter().take_while(|at| at.file == first.file).count();
        let mut numbers: Vec<u32> = rest[..here].iter().map(|at| at.start.line).collect();
        numbers.dedup();
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let plural = if words.len() == 1 { "" } else { "s" };
        let _ = writeln!(out, "  {}, line{plural} {}", first.file, words.join(", "));
        rest = &rest[here..];
    }
    out
}

pub fn spectrum_text(spectrum: &SpectrumReport) -> String {
    let tests = spectrum.passed + spectrum.failed;
    let mut out =
        format!("spectrum of {tests} tests, {} of them failing:\n   rank", spectrum.failed);
    for formula in Formula::ALL {
        let _ = write!(out, " {:>9}", formula.name());
    }
    out += "  failed  passed\n";
    for statement in spectrum.statements.iter().take(MOST_STATEMENTS) {
        let rank = ranks(&statement.scores[0]);
        let _ = write!(out, "{rank:>7}");
        for score in &statement.scores {
            let _ = write!(out, " {:>9.3}", score.value);
        }
        let _ = writeln!(
            out,
            " {:>7} {:>7}  {}`{}`",
            statement.failed,
            statement.passed,
            place(statement),
            statement.statement
        );
    }
    if let Some(more) = spectrum.statements.len().checked_sub(MOST_STATEMENTS + 1) {
        let _ = writeln!(out, "and {} more; --format json lists them all", more + 1);
    }
    out
}

fn place(statement: &SpectrumStatement) -> String {
    let at = statement.location.as_ref();
    at.map_or_else(String::new, |at| format!("{}:{} ", at.file, at.start.line))
}

fn ranks(score: &Score) -> String {
    match score.best == score.worst {
        true => score.best.to_string(),
        false => format!("{}-{}", score.best, score.worst),
    }
}

pub fn slice_value(slice: &SliceReport) -> Value {
    let places =
        |places: &[Location]| -> Value { places.iter().map(|at| location(Some(at))).collect() };
    object!({ "dynamic": places(&slice.dynamic), "relevant": places(&slice.relevant) })
}

pub fn spectrum_value(spectrum: &SpectrumReport) -> Value {
    object!({
        "tests": spectrum.passed + spectrum.failed,
        "passed": spectrum.passed,
        "failed": spectrum.failed,
        "statements": spectrum.statements.iter().map(statement_value).collect::<Vec<_>>(),
    })
}

/// A score is null if it is infinite, which JSON cannot say.
fn statement_value(statement: &SpectrumStatement) -> Value {
    let mut value = object!({
        "location": location(statement.location.as_ref()),
        "statement": statement.statement,
        "passed": statement.passed,
        "failed": statement.failed,
        "ranks": {},
    });
    for (formula, score) in Formula::ALL.iter().zip(&statement.scores) {
        value[formula.name()] = score.value.into();
        value["ranks"][formula.name()] = object!({ "best": score.best, "worst": score.worst });
    }
    value
}
