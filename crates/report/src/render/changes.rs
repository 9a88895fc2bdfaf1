//! Forced changes, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json as object};

use super::json::location;
use crate::changes::{ChangeReport, ChangesReport};

/// So many are shown.
const MOST: usize = 10;
/// Longer statements are cut, and what follows shorter ones is aligned.
const WIDEST: usize = 60;
const WIDEST_ALIGNED: usize = 36;

pub fn changes_text(report: &ChangesReport) -> String {
    let passes = match report.passes {
        0 | 1 => "the failing run passes".to_owned(),
        n => format!("these {n} failing runs pass"),
    };
    if report.changes.is_empty() {
        return match report.runs {
            0 => "The run is too long to be repeated with changes.\n".to_owned(),
            n => {
                format!("No single value or decision was found with which {passes}, in {n} runs.\n")
            }
        };
    }
    let mut out = format!("Changed in a real run, {passes}:\n");
    let shown = &report.changes[..report.changes.len().min(MOST)];
    let rows: Vec<[String; 3]> = shown.iter().map(|change| row(report, change)).collect();
    let lengths = |column: usize| rows.iter().map(move |row| row[column].chars().count());
    let place_width = lengths(0).max().unwrap_or(0);
    let width = lengths(1).filter(|&length| length <= WIDEST_ALIGNED).max().unwrap_or(0);
    for [place, statement, instead] in &rows {
        let _ = writeln!(out, "  {place:>place_width$} | {statement:width$}   {instead}");
    }
    match report.changes.len().saturating_sub(MOST) {
        0 => {}
        1 => out += "  … and one more; --format json lists them all\n",
        n => {
            let _ = writeln!(out, "  … and {n} more; --format json lists them all");
        }
    }
    out
}

fn row(report: &ChangesReport, change: &ChangeReport) -> [String; 3] {
    let file = |change: &ChangeReport| change.location.as_ref().map(|at| at.span.file);
    let several = report.changes.iter().any(|other| file(other) != file(change));
    let place = match &change.location {
        Some(at) if several => format!("{}:{}", at.file, at.start.line),
        Some(at) => at.start.line.to_string(),
        None => String::new(),
    };
    let often = match change.executions {
        0 | 1 => String::new(),
        n => format!(" (in {n} executions)"),
    };
    [place, cut(&change.statement), format!("{}{often}", change.instead)]
}

fn cut(text: &str) -> String {
    match text.chars().count() > WIDEST {
        true => text.chars().take(WIDEST - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

pub fn changes_value(report: &ChangesReport) -> Value {
    let change = |change: &ChangeReport| {
        object!({
            "location": location(change.location.as_ref()),
            "statement": change.statement,
            "instead": change.instead,
            "passes": report.passes,
            "executions": change.executions,
        })
    };
    report.changes.iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_list() {
        let change = |statement: &str, instead: &str, executions| ChangeReport {
            location: None,
            statement: statement.to_owned(),
            instead: instead.to_owned(),
            executions,
        };
        let changes = vec![
            change("x = 1", "`x = 0` instead of 1", 1),
            change("x > 0", "decides otherwise", 3),
        ];
        let report = ChangesReport { changes, passes: 2, runs: 7 };
        let text = changes_text(&report);
        assert!(text.starts_with("Changed in a real run, these 2 failing runs pass:\n"), "{text}");
        assert!(text.contains("x = 1   `x = 0` instead of 1\n"), "{text}");
        assert!(text.contains("x > 0   decides otherwise (in 3 executions)\n"), "{text}");
        let value = changes_value(&report);
        assert_eq!((&value[1]["passes"], &value[1]["executions"]), (&2.into(), &3.into()));
        let nothing = |runs| changes_text(&ChangesReport { changes: Vec::new(), passes: 1, runs });
        assert!(nothing(7).ends_with("with which the failing run passes, in 7 runs.\n"));
        assert!(nothing(0).contains("too long"));
    }
}
