//! Solutions as text and as JSON.

use std::fmt::Write;

use repair::claims::Ending;
use serde_json::{Value, json as object};

use super::json::location;
use crate::apart::ApartReport;
use crate::repair::{RepairReport, SolutionReport};

pub fn repair_text(repair: &RepairReport) -> String {
    let mut out = format!("repair: {}\n", repair.summary());
    for solution in &repair.solutions {
        let _ =
            write!(out, "\n{}. {}\n{}", solution.rank, solution.says, indented(&solution.patch));
    }
    if let Some(first) = repair.apart.first() {
        let _ = writeln!(out, "\n{}", first.says);
    }
    out
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
        "apart": repair.apart.iter().map(apart_value).collect::<Vec<_>>(),
        "tried": repair.tried,
        "known": repair.known,
        "rejected": repair.rejected,
        "refused": repair.refused,
        "complete": repair.complete,
        "says": repair.summary(),
    })
}

fn apart_value(apart: &ApartReport) -> Value {
    let outcomes = apart.outcomes.iter().map(|outcome| {
        let (status, fails) = match outcome.ending {
            Ending::Exits(status) => (Some(status), None),
            Ending::Fails(kind) => (None, Some(kind.name())),
            Ending::Blocked | Ending::Endless => (None, None),
        };
        object!({
            "fixes": outcome.fixes,
            "output": outcome.output,
            "status": status,
            "fails": fails,
            "says": outcome.does,
        })
    });
    object!({
        "input": { "arguments": apart.arguments, "stdin": apart.stdin, "values": apart.values, "says": apart.with },
        "outcomes": outcomes.collect::<Vec<_>>(),
        "says": apart.says,
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
