//! Solutions as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json as object};

use super::json::location;
use crate::repair::{RepairReport, SolutionReport};

pub fn repair_text(repair: &RepairReport) -> String {
    let mut out = format!("repair: {}\n", summary(repair));
    for solution in &repair.solutions {
        let _ = write!(out, "\n{}. {}\n{}", solution.rank, solution.says, indented(&solution.patch));
    }
    out
}

/// How many edits were tried, and what came of it.
fn summary(repair: &RepairReport) -> String {
    let tried = match repair.complete {
        true => format!("{} edits were tried", repair.tried),
        false => format!("{} of {} edits were tried", repair.tried, repair.known),
    };
    match (repair.solutions.len(), &repair.nearest) {
        (0, None) => format!("{tried}, none passes"),
        (0, Some((at, passes))) => {
            let passes = match passes {
                1 => "one failing test passes".to_owned(),
                n => format!("{n} failing tests pass"),
            };
            format!("{tried}, none passes all tests; with one in line {}, {passes}", at.start.line)
        }
        (1, _) => format!("{tried}; with this one, the tests pass"),
        (n, _) => format!("{tried}; with each of these {n}, the tests pass"),
    }
}

/// The lines of a patch that are taken out and put in, with as little indentation as they all have.
pub fn changed_lines(patch: &str) -> Vec<String> {
    let is_change = |line: &&str| {
        line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---")
    };
    let lines: Vec<&str> = patch.lines().skip(2).filter(is_change).collect();
    let blank = |line: &&str| line.len() - 1 - line[1..].trim_start().len();
    let least = lines.iter().filter(|it| it.len() > 1).map(blank).min().unwrap_or(0);
    let cut = |line: &&str| format!("{} {}", &line[..1], line.get(1 + least..).unwrap_or(""));
    lines.iter().map(cut).collect()
}

fn indented(patch: &str) -> String {
    patch.lines().map(|line| format!("  {line}\n")).collect()
}

pub fn repair_value(repair: &RepairReport) -> Value {
    let solutions = repair.solutions.iter().map(solution_value);
    object!({
        "solutions": solutions.collect::<Vec<_>>(),
        "tried": repair.tried,
        "known": repair.known,
        "rejected": repair.rejected,
        "refused": repair.refused,
        "complete": repair.complete,
    })
}

fn solution_value(solution: &SolutionReport) -> Value {
    let edits = solution.edits.iter().map(|edit| {
        object!({
            "location": location(Some(&edit.location)),
            "original": edit.original,
            "replacement": edit.replacement,
        })
    });
    let verdict = &solution.verdict;
    object!({
        "rank": solution.rank,
        "edits": edits.collect::<Vec<_>>(),
        "kind": solution.kind,
        "weight": solution.weight,
        "grade": solution.grade.name(),
        "checked": {
            "tests": solution.tests,
            "neighbours_alike": verdict.alike,
            "neighbours_repaired": verdict.repaired,
            "neighbours_passing": verdict.passing,
            "changed": verdict.changed,
            "broken": verdict.broken,
        },
        "says": solution.says,
        "patch": solution.patch,
    })
}
