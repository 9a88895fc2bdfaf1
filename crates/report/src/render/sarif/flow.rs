//! The failing run as a code flow: what each step did, and the values of variables.

use std::collections::HashSet;

use program::Span;
use serde_json::{Map, Value, json as object};

use super::MOST_SUSPECTS;
use super::places::Places;
use super::plain;
use crate::report::{Location, Report};
use crate::timeline::{Moment, Timeline, What};

/// GitHub shows 1,000 steps, and takes 10,000; but nobody reads so many.
const MOST_STEPS: usize = 300;

/// How important a step is, the most important first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Importance {
    /// It failed.
    Failed,
    /// It belongs to a suspect.
    Suspect,
    /// It belongs to a cause.
    Cause,
    /// The failure depends on it.
    Needed,
    Other,
}

/// The failing run; of a long one, the most important steps. None if no step has a place.
pub fn code_flow(places: &mut Places<'_>, report: &Report, timeline: &Timeline) -> Option<Value> {
    let importance = importance(report, timeline);
    let has_place =
        |at: &usize| timeline.spot(&timeline.steps[*at]).is_some_and(|s| s.location.is_some());
    let mut chosen: Vec<usize> = (0..timeline.steps.len()).filter(has_place).collect();
    // Of equally important steps, the later ones.
    chosen.sort_by_key(|&at| (importance[at], std::cmp::Reverse(at)));
    chosen.truncate(MOST_STEPS);
    chosen.sort_unstable();
    let locations: Vec<Value> = chosen
        .iter()
        .filter_map(|&at| step(places, report, timeline, at, importance[at]))
        .collect();
    if locations.is_empty() {
        return None;
    }
    let all = timeline.steps.len();
    let text = match locations.len() == all {
        true => "The failing run".to_owned(),
        false => format!("The failing run: {} of its {all} steps", locations.len()),
    };
    let mut thread = object!({ "locations": locations });
    let initial = initial(report);
    if !initial.is_empty() {
        thread["initialState"] = initial.into();
    }
    Some(object!({ "message": { "text": text }, "threadFlows": [thread] }))
}

/// How important each step is.
fn importance(report: &Report, timeline: &Timeline) -> Vec<Importance> {
    let spans = |places: &mut dyn Iterator<Item = Option<&Location>>| -> HashSet<Span> {
        places.flatten().map(|at| at.span).collect()
    };
    let suspects = report.suspects.iter().take(MOST_SUSPECTS);
    let suspects = spans(&mut suspects.map(|suspect| suspect.location.as_ref()));
    let causes = report.cascade.iter().flat_map(|tree| &tree.causes);
    let causes = spans(&mut causes.flat_map(|cause| {
        let statements = cause.statements.iter().map(|statement| statement.location.as_ref());
        statements.chain([cause.location.as_ref()])
    }));
    let of_step = |step: &Moment| {
        let span = timeline.spot(step).and_then(|spot| Some(spot.location.as_ref()?.span));
        let is_in = |spans: &HashSet<Span>| span.is_some_and(|span| spans.contains(&span));
        match step {
            step if step.what == What::Failed => Importance::Failed,
            // What went well explains little.
            step if step.what == What::Checked => Importance::Other,
            _ if is_in(&suspects) => Importance::Suspect,
            _ if is_in(&causes) => Importance::Cause,
            step if step.is_needed => Importance::Needed,
            _ => Importance::Other,
        }
    };
    timeline.steps.iter().map(of_step).collect()
}

fn step(
    places: &mut Places<'_>,
    report: &Report,
    timeline: &Timeline,
    at: usize,
    importance: Importance,
) -> Option<Value> {
    let step = &timeline.steps[at];
    let spot = timeline.spot(step)?;
    let mut location = places.bare_location(spot.location.as_ref()?);
    let text = match step.what {
        What::Failed => report.failure.message.clone(),
        _ => timeline.sentence(step),
    };
    location["message"] = object!({ "text": plain(&text) });
    if let Some(function) = spot.function {
        location["logicalLocations"] =
            object!([{ "name": timeline.text(function), "kind": "function" }]);
    }
    let importance = match importance {
        Importance::Failed | Importance::Suspect => "essential",
        Importance::Cause => "important",
        Importance::Needed | Importance::Other => "unimportant",
    };
    let mut value = object!({
        "location": location,
        "nestingLevel": step.depth,
        "executionOrder": step.number,
        "importance": importance,
    });
    let kinds: &[&str] = match step.what {
        What::Assigned | What::Got => &["value"],
        What::Input => &["value", "taint"],
        What::Passed => &["call", "function"],
        What::Returned => &["return", "function"],
        What::Decided(Some(true)) => &["branch", "true"],
        What::Decided(Some(false)) => &["branch", "false"],
        What::Decided(None) => &["branch"],
        What::Checked => &[],
        What::Failed => &["danger"],
    };
    if !kinds.is_empty() {
        value["kinds"] = kinds.into();
    }
    let state = state(timeline, step);
    if !state.is_empty() {
        value["state"] = state.into();
    }
    Some(value)
}

/// The variables that a step used, with the values that it found; and what it assigned.
fn state(timeline: &Timeline, step: &Moment) -> Map<String, Value> {
    let sources = step.sources.iter().filter_map(|&source| timeline.steps.get(source as usize));
    let mut state = Map::new();
    for step in sources.chain([step]).filter(|step| !matches!(step.what, What::Decided(_))) {
        if let (Some(name), Some(value)) = (timeline.variable(step), step.value) {
            state.insert(name.to_owned(), object!({ "text": timeline.text(value) }));
        }
    }
    state
}

/// What the run began with.
fn initial(report: &Report) -> Map<String, Value> {
    let mut state = Map::new();
    for input in report.failure.inputs.iter().filter(|input| input.location.is_none()) {
        state.insert(input.name.clone(), object!({ "text": input.value }));
    }
    if let Some(given) = &report.facts.given {
        for (number, argument) in given.arguments.iter().enumerate() {
            state.insert(format!("argv[{}]", number + 1), object!({ "text": argument }));
        }
        if let Some(stdin) = &given.stdin {
            state.insert("stdin".to_owned(), object!({ "text": stdin }));
        }
    }
    state
}
