//! Edits as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json as object};

use super::json::location;
use crate::edits::{EditReport, EditsReport};

/// So many are listed.
const MOST: usize = 20;

pub fn edits_text(edits: &EditsReport) -> String {
    let tried = match (edits.tried, edits.complete) {
        (1, true) => "1 was tried".to_owned(),
        (n, true) => format!("{n} were tried"),
        (n, false) => format!("only {n} were tried, for lack of time"),
    };
    if edits.repairs.is_empty() {
        return format!("edits: no small edit of one expression prevents the failure ({tried})\n");
    }
    let mut out = format!("edits: with one of these, the failure does not happen ({tried})\n");
    for edit in edits.repairs.iter().take(MOST) {
        let place = edit.location.as_ref();
        let place = place.map_or_else(String::new, |at| format!("{}:{}: ", at.file, at.start.line));
        let _ = writeln!(out, "  {place}`{}`: {}{}", edit.statement, edit.text, tests(edit));
    }
    if let Some(more) = edits.repairs.len().checked_sub(MOST).filter(|more| *more > 0) {
        let _ = writeln!(out, "  … {more} more");
    }
    out
}

fn tests(edit: &EditReport) -> &'static str {
    match edit.all_pass {
        Some(true) => "; all tests pass",
        Some(false) => "; other tests fail",
        None => "",
    }
}

pub fn edits_value(edits: &EditsReport) -> Value {
    let repairs = edits.repairs.iter().map(|edit| {
        object!({
            "location": location(edit.location.as_ref()),
            "statement": edit.statement,
            "kind": edit.kind,
            "text": edit.text,
            "all_tests_pass": edit.all_pass,
        })
    });
    object!({
        "repairs": repairs.collect::<Vec<_>>(),
        "tried": edits.tried,
        "complete": edits.complete,
    })
}
