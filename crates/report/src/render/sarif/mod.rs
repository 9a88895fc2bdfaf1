//! SARIF 2.1.0, the format of static analysis results: for GitHub's code scanning, editors, and other viewers.
//!
//! A failure is a result, and its kind the rule. Suspects are related locations, to which the message links. The failing
//! run is a code flow, step by step with the values of variables; the tree of causes is a graph. Solutions are fixes, which
//! editors can apply. Nothing depends on the
//! time or the machine, so the same failure gives the same file.
//!
//! Messages are not escaped: the standard wants braces doubled, but viewers show them as they are.

mod fingerprint;
mod flow;
mod graph;
mod places;
mod rules;

use program::SourceFile;
use serde_json::{Value, json as object};

use self::fingerprint::line_hash;
use self::flow::code_flow;
use self::graph::{cause_graph, chain};
use self::places::Places;
use self::rules::{rule, taxonomy};
use crate::printable::printable_value;
use crate::repair::SolutionReport;
use crate::report::{FailureReport, Given, Report, Suspect, Wording};
use crate::timeline::Timeline;

/// More suspects are not listed; a message links to some of them.
const MOST_SUSPECTS: usize = 20;
const MOST_LINKS: usize = 3;
/// More values are counted.
const MOST_INPUTS: usize = 8;

/// The report as a SARIF log. `failures` are all that were found, the explained one first; file names are
/// relative to `folder`, if they are in it.
pub fn sarif(
    report: &Report,
    timeline: &Timeline,
    failures: &[FailureReport],
    files: &[SourceFile],
    folder: &str,
) -> String {
    let mut places = Places::new(files, folder);
    // Those that fail in the same way at the same place are one.
    let mut distinct: Vec<(&FailureReport, usize)> = Vec::new();
    for failure in failures {
        let is_same = |other: &FailureReport| {
            (&other.kind, &other.location) == (&failure.kind, &failure.location)
        };
        match distinct.iter_mut().find(|(other, _)| is_same(other)) {
            Some((_, count)) => *count += 1,
            None => distinct.push((failure, 1)),
        }
    }
    let mut results = Vec::new();
    let mut rules: Vec<&str> = Vec::new();
    for (number, &(failure, count)) in distinct.iter().enumerate() {
        if !rules.contains(&failure.kind.as_str()) {
            rules.push(&failure.kind);
        }
        let mut result = result(&mut places, failure, count);
        result["ruleIndex"] = rules.iter().position(|kind| *kind == failure.kind).into();
        if number == 0 {
            explain(&mut result, &mut places, report, timeline);
        }
        results.push(result);
    }
    let notes = report.facts.notes.iter().map(|text| ("note", text));
    let gaps = report.gaps.iter().map(|text| ("warning", text));
    let refuted = report.refuted.iter().map(|text| ("error", text));
    let notifications: Vec<Value> = notes
        .chain(gaps)
        .chain(refuted)
        .map(|(level, text)| object!({ "level": level, "message": { "text": text } }))
        .collect();
    log(results, &rules, notifications, report.facts.status, &places)
}

/// A log that says that there is nothing to explain, and why: there is no failure, or it is not known whether there is one.
pub fn sarif_without_failure(reason: &str, notes: &[String], status: u8) -> String {
    let level = if is_success(status) { "note" } else { "error" };
    let all = [(level, reason.trim())].into_iter();
    let all = all.chain(notes.iter().map(|note| ("note", note.as_str())));
    let notifications =
        all.map(|(level, text)| object!({ "level": level, "message": { "text": text } }));
    log(Vec::new(), &[], notifications.collect(), status, &Places::new(&[], ""))
}

/// Whether something is known: the failure is explained, or there is none.
fn is_success(status: u8) -> bool {
    status <= 1
}

fn log(
    results: Vec<Value>,
    rules: &[&str],
    notifications: Vec<Value>,
    status: u8,
    places: &Places<'_>,
) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let rules: Vec<Value> =
        rules.iter().filter_map(|kind| rule(kind)).map(|rule| rule.value()).collect();
    let mut log = object!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "whydunit",
                    "version": version,
                    "semanticVersion": version,
                    "shortDescription": { "text": "Explains why a program fails" },
                    "rules": rules,
                    "supportedTaxonomies": [{ "name": "CWE" }],
                },
            },
            "taxonomies": [taxonomy()],
            "invocations": [{
                "executionSuccessful": is_success(status),
                "exitCode": status,
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "artifacts": places.artifacts(),
            "results": results,
        }],
    });
    printable_value(&mut log);
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

/// What happened, and where.
fn result(places: &mut Places<'_>, failure: &FailureReport, count: usize) -> Value {
    let mut result = object!({
        "ruleId": failure.kind,
        "kind": "fail",
        "level": "error",
        "message": { "text": plain(&sentence(&failure.message)) },
        "locations": [places.somewhere(failure.location.as_ref())],
        "occurrenceCount": count,
    });
    if let Some(rule) = rule(&failure.kind) {
        let taxa = rule.taxa(failure.access);
        if !taxa.is_empty() {
            result["taxa"] = taxa.into();
        }
    }
    let line = failure.location.as_ref().and_then(|at| {
        let file = places.file(at)?;
        Some((line_hash(&file.text, at.start.line)?, file.slice(at.span)))
    });
    if let Some((hash, statement)) = line {
        // The second one is ours: it stays when other code moves into the neighbourhood.
        let words: Vec<&str> = statement.split_whitespace().collect();
        let own = line_hash(&format!("{} {}", failure.kind, words.join(" ")), 1);
        result["partialFingerprints"] =
            object!({ "primaryLocationLineHash": hash, "kindAndStatement/v1": own });
    }
    result
}

/// What is responsible, and how it came about.
fn explain(result: &mut Value, places: &mut Places<'_>, report: &Report, timeline: &Timeline) {
    let suspects: Vec<(usize, &Suspect)> = report
        .suspects
        .iter()
        .filter(|suspect| suspect.location.is_some())
        .take(MOST_SUSPECTS)
        .enumerate()
        .collect();
    result["message"] = message(report, &suspects);
    let related: Vec<Value> = suspects
        .iter()
        .map(|&(id, suspect)| {
            let mut value = places.somewhere(suspect.location.as_ref());
            value["id"] = (id + 1).into();
            let text = format!("suspect {}: {}: {}", suspect.rank, named(suspect), suspect.why);
            value["message"] = object!({ "text": plain(&text) });
            value["properties"] = object!({
                "rank": suspect.rank,
                "score": suspect.score,
                "techniques": suspect.techniques,
            });
            value
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    let solutions = report.repair.iter().flat_map(|repair| &repair.solutions);
    let fixes: Vec<Value> = solutions.map(|solution| fix(places, solution)).collect();
    if !fixes.is_empty() {
        result["fixes"] = fixes.into();
    }
    if let Some(flow) = code_flow(places, report, timeline) {
        result["codeFlows"] = vec![flow].into();
    }
    if let Some(tree) = &report.cascade
        && let Some(graph) = cause_graph(places, tree)
    {
        result["graphs"] = vec![graph].into();
        if let Some(chain) = chain(tree) {
            result["graphTraversals"] = vec![chain].into();
        }
    }
}

/// An edit of the source that was run. The best one comes first.
fn fix(places: &mut Places<'_>, solution: &SolutionReport) -> Value {
    object!({
        "description": { "text": plain(&sentence(&solution.says)) },
        "artifactChanges": places.changes(&solution.edits),
        "properties": {
            "rank": solution.rank,
            "kind": solution.kind,
            "grade": solution.grade.name(),
        },
    })
}

fn message(report: &Report, suspects: &[(usize, &Suspect)]) -> Value {
    let mut text = plain(&sentence(&report.failure.message));
    if let Some(inputs) = inputs(report) {
        text = format!("{text} {}", plain(&inputs));
    }
    let mut markdown = text.clone();
    let links: Vec<String> = suspects
        .iter()
        .take(MOST_LINKS)
        .map(|(id, suspect)| {
            let line = suspect.location.as_ref().map_or(0, |at| at.start.line);
            format!("[line {line}]({}) {}", id + 1, plain(&named(suspect)))
        })
        .collect();
    match links.len() {
        0 => {}
        1 => text += &format!(" Suspect: {}.", links.join(", ")),
        _ => text += &format!(" Suspects: {}.", links.join(", ")),
    }
    for (id, suspect) in suspects {
        let line = suspect.location.as_ref().map_or(0, |at| at.start.line);
        let (named, why) = (plain(&named(suspect)), plain(&suspect.why));
        markdown += &format!("\n{}. [line {line}]({}) {named}: {why}", id + 1, id + 1);
    }
    let cause = report.cascade.as_ref().and_then(|tree| tree.causes.first());
    if let Some(why) = cause.map(|cause| cause.why.as_str()).filter(|why| !why.is_empty()) {
        markdown += &format!("\n\n{}", plain(why));
    }
    object!({ "text": text, "markdown": markdown })
}

/// What it fails with, if it needs something.
fn inputs(report: &Report) -> Option<String> {
    let inputs = &report.failure.inputs;
    let mut values = report.facts.given.as_ref().map_or_else(Vec::new, Given::sentences);
    values.extend(inputs.iter().take(MOST_INPUTS).map(|input| match &input.location {
        None => format!("{} = {} at the start", input.name, input.value),
        Some(at) => format!("{} = {} at line {}", input.name, input.value, at.start.line),
    }));
    let more = match inputs.len().saturating_sub(MOST_INPUTS) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    (!values.is_empty()).then(|| format!("It fails with {}{more}.", values.join(", ")))
}

fn named(suspect: &Suspect) -> String {
    match suspect.wording {
        Wording::Code => format!("`{}`", suspect.statement),
        Wording::Words => suspect.statement.clone(),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let text: String = first.chain(letters).collect();
    if text.ends_with('.') { text } else { text + "." }
}

/// A text without what would be taken for a link: C has `table[i](x)`.
fn plain(text: &str) -> String {
    match text.contains("](") {
        true => text.replace('[', "\\[").replace(']', "\\]"),
        false => text.to_owned(),
    }
}
