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

/// The lines of a patch that are taken out and put in, with as little indentation as they all have. If nothing is taken out,
/// the line that is edited is among them, where it stands beside what is put in.
pub fn changed_lines(patch: &str, edited: Option<&str>) -> Vec<String> {
    let hunk: Vec<&str> = patch.lines().skip(2).filter(|it| !it.starts_with("@@")).collect();
    let is_change = |line: &str| line.starts_with(['+', '-']);
    let only_adds = !hunk.iter().any(|line| line.starts_with('-'));
    let is_edited = |line: &str| edited.is_some_and(|it| line.strip_prefix(' ') == Some(it));
    let beside = |at: usize| {
        let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        near.filter_map(|at| hunk.get(at)).any(|line| is_change(line))
    };
    let is_shown = |(at, line): &(usize, &&str)| {
        is_change(line) || only_adds && is_edited(line) && beside(*at)
    };
    let shown: Vec<&str> = hunk.iter().enumerate().filter(is_shown).map(|(_, it)| *it).collect();
    let blank = |line: &&str| line.len() - 1 - line[1..].trim_start().len();
    let least = shown.iter().filter(|it| it.len() > 1).map(blank).min().unwrap_or(0);
    let cut = |line: &&str| format!("{} {}", &line[..1], line.get(1 + least..).unwrap_or(""));
    shown.iter().map(cut).collect()
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
        "together": repair.together,
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
        "confidence": solution.confidence,
        "checked": {
            "tests": solution.tests,
            "neighbours_alike": verdict.alike,
            "neighbours_repaired": verdict.repaired,
            "neighbours_passing": verdict.passing,
            "changed": verdict.changed,
            "broken": verdict.broken,
            "others": verdict.others,
            "others_changed": verdict.others_changed,
        },
        "says": solution.says,
        "patch": solution.patch,
    })
}
