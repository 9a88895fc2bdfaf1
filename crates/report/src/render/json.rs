//! JSON, for tools. The format is stable: fields are added, never changed.

use serde_json::{Map, Value, json as object};

use super::baselines::{slice_value, spectrum_value};
use super::causes::tree_value;
use super::corrections::corrections_value;
use super::repair::repair_value;
use super::invariants::invariants_value;
use super::suite::suite_value;
use crate::printable::printable_value;
use crate::report::{Happened, Location, RelevanceReport, Report, Suspect};

/// The report as a JSON document.
pub fn json(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(&document(report)).unwrap_or_default();
    text.push('\n');
    text
}

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
    if let Some(corrections) = &report.corrections {
        diagnoses.insert("corrections".to_owned(), corrections_value(corrections));
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
        "fix": null,
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

fn relevance_value(relevance: &RelevanceReport) -> Value {
    let steps = relevance.steps.iter().map(|step| {
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
    });
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
        "steps": steps.collect::<Vec<_>>(),
        "statements": statements.collect::<Vec<_>>(),
    })
}
