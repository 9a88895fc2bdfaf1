//! JSON, for tools. The format is stable: fields are added, never changed.

use serde_json::{Map, Value, json as object};

use super::baselines::{slice_value, spectrum_value};
use super::causes::tree_value;
use super::changes::changes_value;
use super::invariants::invariants_value;
use super::repair::repair_value;
use super::suite::suite_value;
use crate::printable::printable_value;
use crate::report::{Happened, Location, RelevanceReport, Report, StepReport, Suspect};

/// What stands for the steps of relevance while the rest is written. No other field of this name is a text, and in texts quotation
/// marks are escaped.
const STEPS: &str = "\"steps\": \"later\"";

/// The report as a JSON document.
pub fn json(report: &Report) -> String {
    let document = serde_json::to_string_pretty(&document(report)).unwrap_or_default();
    let (before, after) = document.split_once(STEPS).unwrap_or((&document, ""));
    let mut text = before.to_owned();
    if let Some(relevance) = &report.relevance {
        add_steps(&mut text, &relevance.steps);
    }
    text.push_str(after);
    text.push('\n');
    text
}

/// Writes the steps one by one: there may be a million, and as values they would take ten times as much memory as their text.
fn add_steps(text: &mut String, steps: &[StepReport]) {
    let (_, indent) = text.rsplit_once('\n').unwrap_or_default();
    let (outer, inner) = (format!("\n{indent}"), format!("\n{indent}  "));
    text.push_str("\"steps\": [");
    for (number, step) in steps.iter().enumerate() {
        let mut step = step_value(step);
        printable_value(&mut step);
        let step = serde_json::to_string_pretty(&step).unwrap_or_default();
        text.push_str(if number > 0 { "," } else { "" });
        text.push_str(&inner);
        text.push_str(&step.replace('\n', &inner));
    }
    text.push_str(if steps.is_empty() { "" } else { &outer });
    text.push(']');
}

/// All but the steps of relevance.
pub fn document(report: &Report) -> Value {
    let failure = &report.failure;
    let mut diagnoses = Map::new();
    if let Some(relevance) = &report.relevance {
        diagnoses.insert("relevance".to_owned(), relevance_value(relevance));
    }
    if let Some(tree) = &report.cascade {
        diagnoses.insert("cascade".to_owned(), tree_value(tree));
    }
    if let Some(invariants) = &report.error_invariants {
        diagnoses.insert("error-invariants".to_owned(), invariants_value(invariants));
    }
    if let Some(changes) = &report.changes {
        diagnoses.insert("changes".to_owned(), changes_value(changes));
    }
    if let Some(repair) = &report.repair {
        diagnoses.insert("repair".to_owned(), repair_value(repair));
    }
    if let Some(slice) = &report.slice {
        diagnoses.insert("slice".to_owned(), slice_value(slice));
    }
    if let Some(spectrum) = &report.spectrum {
        diagnoses.insert("spectrum".to_owned(), spectrum_value(spectrum));
    }
    let mut document = object!({
        "whydunit": env!("CARGO_PKG_VERSION"),
        "failure": {
            "kind": failure.kind,
            "message": failure.message,
            "location": location(failure.location.as_ref()),
            "steps": failure.steps,
            "traces": failure.traces,
            "input": inputs(report),
        },
        "suspects": report.suspects.iter().map(suspect).collect::<Vec<_>>(),
        "diagnoses": diagnoses,
        "gaps": report.gaps,
        "refuted": report.refuted,
        "notes": report.facts.notes,
        "time": {
            "work": (report.facts.work.as_secs_f64() * 1000.0).round() / 1000.0,
            "solver_queries": report.facts.solver_queries,
        },
    });
    if let Some(suite) = &report.facts.suite {
        document["suite"] = suite_value(suite);
    }
    printable_value(&mut document);
    document
}

pub(super) fn location(location: Option<&Location>) -> Value {
    match location {
        None => Value::Null,
        Some(at) => {
            let mut value = object!({
                "file": at.file,
                "line": at.start.line,
                "column": at.start.column,
                "end_line": at.end.line,
                "end_column": at.end.column,
            });
            if let Some((file, line)) = &at.origin {
                value["origin"] = object!({ "file": file, "line": line });
            }
            value
        }
    }
}

/// Initial values by name, and the values of havocs in order; for C, what the program was run with.
fn inputs(report: &Report) -> Value {
    let mut initial = Map::new();
    let mut havocs = Vec::new();
    for input in &report.failure.inputs {
        match &input.location {
            None => {
                initial.insert(input.name.clone(), Value::from(input.value.clone()));
            }
            Some(at) => havocs.push(object!({
                "location": location(Some(at)), "variable": input.name, "value": input.value,
            })),
        }
    }
    let mut value = object!({ "initial": initial, "havocs": havocs });
    if let Some(given) = &report.facts.given {
        value["arguments"] = given.arguments.clone().into();
        value["stdin"] = given.stdin.clone().into();
        value["stdin_bytes"] = given.stdin_bytes.into();
    }
    value
}

fn suspect(suspect: &Suspect) -> Value {
    let mut value = object!({
        "rank": suspect.rank,
        "location": location(suspect.location.as_ref()),
        "statement": suspect.statement,
        "score": suspect.score,
        "why": suspect.why,
        "fix": suspect.fix,
        "evidence": suspect.evidence.iter().map(|it| object!({
            "technique": it.technique, "text": it.text,
        })).collect::<Vec<_>>(),
        "terms": suspect.terms.iter().map(|it| object!({
            "name": it.name, "amount": rounded(it.amount), "points": rounded(it.points),
        })).collect::<Vec<_>>(),
        "techniques": suspect.techniques,
    });
    if let Some(role) = suspect.role {
        value["role"] = role.name().into();
    }
    if let Some(executions) = &suspect.executions {
        value["executions"] = object!({ "relevant": executions.relevant, "of": executions.of });
    }
    value
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// What a step of a C program did.
fn add_happened(value: &mut Value, happened: &Happened) {
    value["function"] = happened.function.clone().into();
    value["depth"] = happened.depth.into();
    value["execution"] = happened.execution.into();
    value["variable"] = happened.variable.clone().into();
    value["value"] = happened.value.clone().into();
    value["before"] = happened.before.clone().into();
}

fn step_value(step: &StepReport) -> Value {
    let mut value = object!({
        "step": step.step,
        "location": location(step.location.as_ref()),
        "statement": step.statement,
        "verdict": step.verdict,
        "reason": step.reason,
    });
    if let Some(happened) = &step.happened {
        add_happened(&mut value, happened);
    }
    if let Some(role) = step.role {
        value["role"] = role.name().into();
    }
    if let Some(witness) = &step.witness {
        value["witness"] = witness.value.clone().into();
        value["on_failing_run"] = witness.on_failing_run.into();
    }
    value
}

fn relevance_value(relevance: &RelevanceReport) -> Value {
    let statements = relevance.statements.iter().map(|statement| {
        let mut value = object!({
            "location": location(statement.location.as_ref()),
            "statement": statement.statement,
            "relevant_in": statement.relevant_in,
            "in_all_traces": statement.in_all,
        });
        match &statement.one_value {
            Some(Ok(constant)) => value["one_value"] = constant.clone().into(),
            Some(Err(reason)) => {
                value["one_value"] = Value::Null;
                value["one_value_reason"] = reason.clone().into();
            }
            None => {}
        }
        value
    });
    object!({
        "complete": relevance.complete,
        "trusted": relevance.trusted,
        "steps": "later",
        "statements": statements.collect::<Vec<_>>(),
    })
}
