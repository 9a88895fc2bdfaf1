//! The abstract error trace, as JSON and as text.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use program::SiteId;
use serde_json::{Value, json as object};

use super::json::location;
use crate::invariants::{InvariantsReport, KeptReport};
use crate::report::{FailureReport, Location, RelevanceReport};

pub fn invariants_value(report: &InvariantsReport) -> Value {
    let mut relevant: Vec<&Location> = Vec::new();
    for at in report.kept.iter().filter_map(|kept| kept.location.as_ref()) {
        if !relevant.contains(&at) {
            relevant.push(at);
        }
    }
    let invariants = report.invariants.iter().map(
        |invariant| object!({ "from": invariant.from, "to": invariant.to, "text": invariant.text() }),
    );
    object!({
        "flow_sensitive": report.flow_sensitive,
        "unknown": report.unknown,
        "nothing_needed": report.nothing_needed(),
        "fewest": report.fewest,
        "statements": report.statements,
        "invariants": invariants.collect::<Vec<_>>(),
        "kept": report.kept.iter().map(kept_value).collect::<Vec<_>>(),
        "relevant": relevant.into_iter().map(|at| location(Some(at))).collect::<Vec<_>>(),
    })
}

fn kept_value(kept: &KeptReport) -> Value {
    let inside = kept
        .inside
        .iter()
        .map(|(at, text)| object!({ "location": location(at.as_ref()), "condition": text }));
    object!({
        "step": kept.step,
        "location": location(kept.location.as_ref()),
        "statement": kept.statement,
        "kind": kept.kind,
        "variables": kept.variables,
        "value": kept.value,
        "execution": kept.execution,
        "inside": inside.collect::<Vec<_>>(),
    })
}

/// Rounds of a loop beyond these are not shown: from the first, and up to the last.
const FIRST_ROUNDS: usize = 2;
const LAST_ROUNDS: usize = 1;
/// A round has at most so many statements.
const LONGEST_ROUND: usize = 12;
/// Longer lines are cut.
const WIDEST: usize = 110;

/// A column of statements, with what must be true between them.
pub fn invariants_text(report: &InvariantsReport, failure: &FailureReport) -> String {
    let mut out = String::new();
    if let Some(why) = &report.unknown {
        let _ = writeln!(out, "There are no error invariants: {why}.");
        return out;
    }
    if let Some(why) = report.nothing_needed() {
        let _ = writeln!(out, "Error invariants do not explain it: {why}. This was checked.");
        return out;
    }
    let title = match report.flow_sensitive {
        true => "What must stay true for it to happen, and what makes it true:",
        false => "What must stay true for it to happen, and what makes it true, on this path:",
    };
    let _ = writeln!(out, "{title}");
    let last = failure.location.as_ref().map_or(0, |at| at.start.line);
    let lines = report.kept.iter().filter_map(|kept| kept.location.as_ref());
    let widest = lines.map(|at| at.start.line).max().unwrap_or(0).max(last);
    let width = widest.to_string().len();
    let mut at = 0;
    let formula = |out: &mut String, at: usize| {
        let _ = writeln!(out, "  {:width$} |     {}", "", conjunction(report, at));
    };
    // A statement that assigns several things is shown once, with what is true when it has done so.
    let show = |out: &mut String, range: Range<usize>| {
        for number in range {
            let kept = &report.kept[number];
            if !kept.continues {
                let part =
                    number.checked_sub(1).is_some_and(|before| report.kept[before].continues);
                statement(out, kept, if part { None } else { kept.value.as_deref() }, width);
                formula(out, number + 1);
            }
        }
    };
    formula(&mut out, 0);
    while at < report.kept.len() {
        if let Some((length, rounds)) = repeats(&report.kept[at..])
            && rounds > FIRST_ROUNDS + LAST_ROUNDS
        {
            show(&mut out, at..at + length * FIRST_ROUNDS);
            let hidden = rounds - FIRST_ROUNDS - LAST_ROUNDS;
            let text = match hidden {
                1 => "one more round of these".to_owned(),
                n => format!("{n} more rounds of these"),
            };
            let _ = writeln!(out, "  {:width$} | … {text}", "");
            let resume = at + length * (rounds - LAST_ROUNDS);
            formula(&mut out, resume);
            show(&mut out, resume..at + length * rounds);
            at += length * rounds;
        } else {
            show(&mut out, at..at + 1);
            at += 1;
        }
    }
    let shown = failure.location.as_ref().map_or(String::new(), |at| at.start.line.to_string());
    let _ = writeln!(out, "  {shown:>width$} | {}", failure.message);
    let _ = writeln!(out, "\n{}", counts(report));
    out
}

/// More lines are not listed.
const MOST_LINES: usize = 8;

/// How what is needed differs from what is relevant, line by line.
pub fn compared(report: &InvariantsReport, relevance: &RelevanceReport) -> Option<String> {
    if report.kept.is_empty() {
        return None;
    }
    type Place<'a> = (&'a str, u32);
    fn place(at: &Location) -> Place<'_> {
        (&at.file, at.start.line)
    }
    let with = |verdict: &str| -> BTreeSet<Place<'_>> {
        let steps = relevance.steps.iter().filter(|step| step.verdict == verdict);
        steps.filter_map(|step| step.location.as_ref()).map(place).collect()
    };
    let relevant = with("relevant");
    let irrelevant: BTreeSet<_> = &with("irrelevant") - &relevant;
    let kept: BTreeSet<_> =
        report.kept.iter().filter_map(|kept| kept.location.as_ref()).map(place).collect();
    let mut out = "Relevant: another value there prevents the failure. Needed: these together are enough for it, \
                   though others that make the same true might do instead.\n"
        .to_owned();
    let groups = [
        ("Both", &relevant & &kept),
        ("Only relevant", &relevant - &kept),
        ("Only needed", &irrelevant & &kept),
        ("Neither", &irrelevant - &kept),
    ];
    let groups = groups.iter().filter(|(_, lines)| !lines.is_empty()).map(|(title, lines)| {
        let shown: Vec<String> =
            lines.iter().take(MOST_LINES).map(|(_, line)| line.to_string()).collect();
        let more = if lines.len() > MOST_LINES { ", …" } else { "" };
        let word = if lines.len() == 1 { "line" } else { "lines" };
        format!("{title}: {word} {}{more}.", shown.join(", "))
    });
    out += &groups.collect::<Vec<_>>().join(" ");
    Some(out + "\n")
}

fn counts(report: &InvariantsReport) -> String {
    let kept = report.kept.len();
    let fewest = if report.fewest { ", no fewer are enough" } else { "" };
    let of = match report.statements {
        1 => "1 statement and condition".to_owned(),
        n => format!("{n} statements and conditions"),
    };
    let are = if kept == 1 { "is" } else { "are" };
    format!("{kept} of {of} on the trace {are} needed{fewest}. Every formula was checked.")
}

fn statement(out: &mut String, kept: &KeptReport, value: Option<&str>, width: usize) {
    let line = kept.location.as_ref().map_or(String::new(), |at| at.start.line.to_string());
    let mut text = match kept.kind {
        "frame" => {
            let names = kept.variables.join(", ");
            let (are, they) = match &kept.variables[..] {
                [one] if !one.contains("..") => ("is", "it"),
                _ => ("are", "they"),
            };
            format!(
                "`{}`: {names} {are} not assigned here, on the other way {they} might be",
                kept.statement
            )
        }
        "outcome" | "condition" => format!("`{}` holds", kept.statement),
        _ => kept.statement.clone(),
    };
    if let Some(value) = value {
        text += &format!("   // {value}");
    }
    let _ = writeln!(out, "  {line:>width$} | {}", cut(&text));
}

/// A formula in one line. If it is too long: what is new in it, as much of the rest as fits, and how much is left out.
fn conjunction(report: &InvariantsReport, at: usize) -> String {
    let now = &report.invariants[at];
    let whole = now.text();
    if whole.chars().count() <= WIDEST {
        return whole;
    }
    let before = at.checked_sub(1).map(|before| &report.invariants[before].parts);
    let is_old = |part: &&String| before.is_some_and(|before| before.contains(part));
    let mut parts: Vec<&String> = now.parts.iter().collect();
    parts.sort_by_key(is_old);
    let mut shown = String::new();
    let mut more = parts.len() + now.more;
    for part in parts {
        if !shown.is_empty() && shown.chars().count() + part.chars().count() > WIDEST - 15 {
            break;
        }
        shown += if shown.is_empty() { "" } else { " && " };
        shown += &cut(part);
        more -= 1;
    }
    match more {
        0 => shown,
        _ => format!("{shown} … and {more} more"),
    }
}

fn cut(text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = words.char_indices().nth(WIDEST) {
        words.truncate(cut);
        words.push('…');
    }
    words
}

/// The shortest sequence of statements that the list begins with several times, and how often.
fn repeats(kept: &[KeptReport]) -> Option<(usize, usize)> {
    if kept[0].continues {
        return None; // in the middle of a statement
    }
    fn key(kept: &KeptReport) -> (SiteId, &str, &str, bool) {
        (kept.site, kept.kind, &kept.statement, kept.continues)
    }
    for length in 1..=LONGEST_ROUND.min(kept.len() / 2) {
        let same = |at: usize| key(&kept[at]) == key(&kept[at % length]);
        let equal = (length..kept.len()).take_while(|&at| same(at)).count();
        let rounds = 1 + equal / length;
        if rounds > FIRST_ROUNDS + LAST_ROUNDS {
            return Some((length, rounds));
        }
    }
    None
}
