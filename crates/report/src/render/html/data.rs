//! The data of the page, as JSON that is safe inside of HTML.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{Display, Write};

use program::SourceFile;
use serde_json::{Value, json as object};

use crate::printable::{printable, printable_value};
use crate::render::json::document;
use crate::report::{Report, StepReport};
use crate::timeline::{Home, Moment, Timeline, What};

/// Of a longer run, the beginning is left out.
const MOST_STEPS: usize = 120_000;

/// All but the time line.
pub fn data(report: &Report, timeline: &Timeline, files: &[SourceFile]) -> String {
    let mut value = document(report);
    // How long it took is different each time; and the verdicts on steps are on the time line.
    if let Some(fields) = value.as_object_mut() {
        fields.remove("time");
    }
    let relevance = value.pointer_mut("/diagnoses/relevance").and_then(Value::as_object_mut);
    if let Some(relevance) = relevance {
        relevance.remove("steps");
    }
    // What is copied is applied, so it is as it is; the script escapes what it shows of it.
    for (number, solution) in report.repair.iter().flat_map(|it| it.solutions.iter().enumerate()) {
        value["diagnoses"]["repair"]["solutions"][number]["patch"] = solution.patch.clone().into();
    }
    // Columns count the characters of the source, so the script escapes what it shows of it.
    let file = |file: &SourceFile| object!({ "name": printable(&file.name), "text": &*file.text });
    value["files"] = files.iter().map(file).collect();
    value["listed"] = timeline.steps.len().min(MOST_STEPS).into();
    safe(&value.to_string())
}

/// JSON that no text of a program can end, and that says nothing to a terminal.
fn safe(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' => out += "\\u003c",
            // JSON has another syntax for what `printable` would escape.
            letter if matches!(printable(letter.encode_utf8(&mut [0; 4])), Cow::Owned(_)) => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out
}

/// The time line as columns of numbers. What is about other steps is the distance to them; what may be missing is one more than
/// it is, and 0 if it is missing.
pub fn steps(report: &Report, timeline: &Timeline) -> String {
    let left_out = timeline.steps.len().saturating_sub(MOST_STEPS);
    let steps = timeline.steps.get(left_out..).unwrap_or(&[]);
    let verdicts = verdicts(report);
    let mut texts = timeline.texts.clone();
    let mut witnesses: HashMap<String, u32> = HashMap::new();
    let mut columns: [Vec<u32>; 12] = Default::default();
    let mut sources: Vec<u32> = Vec::new();
    let mut number_before = 0;
    for (at, step) in (left_out..).zip(steps) {
        let back = |to: u32| (to as usize >= left_out).then(|| at as u32 - to);
        let own: Vec<u32> = step.sources.iter().filter_map(|&source| back(source)).collect();
        let asked = verdicts.get(&step.number);
        let mut witness = 0;
        if let Some(value) = asked.and_then(|asked| asked.witness.as_ref()) {
            witness = *witnesses.entry(value.value.clone()).or_insert_with(|| {
                texts.push(value.value.clone());
                texts.len() as u32
            });
        }
        let row = [
            step.number - number_before,
            step.spot,
            step.activation,
            step.depth,
            what(step),
            step.variable.map_or(0, |variable| variable + 1),
            step.value.map_or(0, |value| value.0 + 1),
            step.before.map_or(0, |before| before.0 + 1),
            step.under.and_then(back).unwrap_or(0),
            own.len() as u32,
            asked.map_or(0, |asked| verdict(asked)),
            witness,
        ];
        number_before = step.number;
        for (column, cell) in columns.iter_mut().zip(row) {
            column.push(cell);
        }
        sources.extend(own);
    }
    let names = [
        "number",
        "spot",
        "activation",
        "depth",
        "what",
        "variable",
        "value",
        "before",
        "under",
        "count",
        "verdict",
        "witness",
    ];
    let mut text = String::from("{");
    for (name, column) in names.iter().zip(&columns) {
        let _ = write!(text, "\"{name}\":{},", list(column));
    }
    let mut spots: Value = timeline
        .spots
        .iter()
        .map(|spot| {
            let at = spot.location.as_ref();
            let place = at.map(|at| (at.span.file.0, at.start.line, at.start.column));
            let (file, line, column) = place.unwrap_or_default();
            let end = at.map_or((0, 0), |at| (at.end.line, at.end.column));
            let function = spot.function.map_or(0, |function| function.0 + 1);
            object!([file, line, column, end.0, end.1, function, spot.statement])
        })
        .collect();
    let mut texts = Value::from(texts);
    printable_value(&mut texts);
    printable_value(&mut spots);
    let variables = timeline.variables.iter();
    let _ = write!(
        text,
        "\"sources\":{},\"names\":{},\"homes\":{},\"spots\":{},\"texts\":{},\"left_out\":{},\
         \"whole_from\":{}}}",
        list(&sources),
        list(variables.clone().map(|variable| variable.name.0)),
        list(variables.map(|variable| home(variable.home))),
        spots,
        texts,
        left_out,
        timeline.whole_from,
    );
    safe(&text)
}

/// Numbers as an array.
fn list(numbers: impl IntoIterator<Item = impl Display>) -> String {
    let mut text = String::from("[");
    for number in numbers {
        let _ = write!(text, "{number},");
    }
    if text.len() > 1 {
        text.pop();
    }
    text.push(']');
    text
}

/// What a step did, as a number; 16 is added if the failure depends on it.
fn what(step: &Moment) -> u32 {
    let kind = match step.what {
        What::Assigned => 0,
        What::Passed => 1,
        What::Returned => 2,
        What::Got => 3,
        What::Input => 4,
        What::Decided(None) => 5,
        What::Decided(Some(true)) => 6,
        What::Decided(Some(false)) => 7,
        What::Checked => 8,
        What::Failed => 9,
    };
    kind + if step.is_needed { 16 } else { 0 }
}

/// Where a variable lives: a call of a function, or one of two other places.
fn home(home: Home) -> i64 {
    match home {
        Home::Activation(number) => i64::from(number),
        Home::Global => -1,
        Home::Memory => -2,
    }
}

fn verdict(asked: &StepReport) -> u32 {
    match asked.verdict {
        "relevant" => 1,
        "irrelevant" => 2,
        _ => 3,
    }
}

/// What is known about the relevance of steps, by their numbers.
fn verdicts(report: &Report) -> HashMap<u32, &StepReport> {
    let steps = report.relevance.iter().flat_map(|relevance| &relevance.steps);
    steps.map(|step| (step.step as u32, step)).collect()
}
