//! Forced changes in the terms of the source.

use failure::Force;
use localize::changes::{Change, Changes};

use crate::expressions::assigned;
use crate::places::{change_of_text, change_text, site_location, value_text};
use crate::report::Location;
use crate::story::Story;

/// What makes the failing runs pass if it is forced.
#[derive(Clone, Debug)]
pub struct ChangesReport {
    pub changes: Vec<ChangeReport>,
    /// How many failing tests, or executions, pass.
    pub passes: usize,
    /// How many runs were made to find them.
    pub runs: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeReport {
    pub location: Option<Location>,
    pub statement: String,
    /// What it does instead, in the first of the runs.
    pub instead: String,
    /// In how many executions, in the run with the most.
    pub executions: u32,
}

pub fn changes_report(stories: &[Story<'_>], found: &Changes) -> ChangesReport {
    let change = |change: &Change| Some(change_report(stories.first()?, change));
    let changes = found.found.iter().filter_map(change).collect();
    ChangesReport { changes, passes: stories.len(), runs: found.runs }
}

fn change_report(story: &Story<'_>, change: &Change) -> ChangeReport {
    let program = story.failure.program;
    let text = &program.site(change.site).text;
    let statement = match story.calls.get(&change.site) {
        Some(&call) => format!("{text} (argument of {})", program.site(call).text),
        None => text.clone(),
    };
    let executions = change.passing.iter().map(|it| it.executions).max().unwrap_or(0);
    let (location, instead) = (site_location(program, change.site), instead_text(story, change));
    ChangeReport { location, statement, instead, executions }
}

/// What a statement does instead, such as "`x = 1` instead of 2".
pub fn instead_text(story: &Story<'_>, change: &Change) -> String {
    let failure = story.failure;
    match change.passing.first().map(|passing| &passing.forced.what) {
        Some(Force::Value { step, value }) => {
            let (number, step) = (*step, &failure.trace.steps[*step]);
            // Of a part of an array, the text says which.
            let name = assigned(&failure.program.site(change.site).text);
            let now = match name.filter(|name| name.contains('[')) {
                Some(name) => change_of_text(story, step, name, value),
                None => change_text(story, step, value),
            };
            let was = failure.values.get(number).and_then(Option::as_ref);
            match was {
                Some(was) => format!("{now} instead of {}", value_text(story, step, was)),
                None => now,
            }
        }
        Some(Force::Edge(_) | Force::OtherEdge) => "decides otherwise".to_owned(),
        Some(Force::Output) => "prints what is expected".to_owned(),
        None => String::new(),
    }
}
