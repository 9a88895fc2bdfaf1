//! Error invariants in the terms of the source.

use std::collections::{HashMap, HashSet};

use localize::commands::Encoding;
use localize::error_invariants::{ErrorInvariants, Interval, Kept, What};
use program::SiteId;
use term::{Term, Value};

use crate::formulas::Formulas;
use crate::groups::{Pieces, grouped, grouped_names};
use crate::places::{site_location, statement_text, step_location, value_text_with};
use crate::report::Location;
use crate::story::Story;

/// The abstract error trace: formulas, and statements between them.
#[derive(Clone, Debug)]
pub struct InvariantsReport {
    pub flow_sensitive: bool,
    /// Why there is none.
    pub unknown: Option<String>,
    /// Whether no fewer statements are enough.
    pub fewest: bool,
    /// One more than statements.
    pub invariants: Vec<InvariantReport>,
    pub kept: Vec<KeptReport>,
    /// How many statements there were to begin with.
    pub statements: usize,
}

/// A formula that holds in an interval of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantReport {
    /// The numbers of the first and of the last step before which it holds, from 1.
    pub from: usize,
    pub to: usize,
    /// Conditions that are true together. None: anything goes.
    pub parts: Vec<String>,
    /// How many more there are.
    pub more: usize,
}

/// More conditions of one formula are counted, not listed.
const MOST_PARTS: usize = 100;

impl InvariantReport {
    /// The formula.
    pub fn text(&self) -> String {
        let mut parts: Vec<String> = match &self.parts[..] {
            [] => vec!["true".to_owned()],
            parts => parts.to_vec(),
        };
        parts.extend((self.more > 0).then(|| format!("… {} more", self.more)));
        parts.join(" && ")
    }
}

/// A statement that is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReport {
    /// The number of its step.
    pub step: usize,
    pub location: Option<Location>,
    pub statement: String,
    /// `assignment`, `condition`, `frame` or `outcome`.
    pub kind: &'static str,
    /// The variables of a frame.
    pub variables: Vec<String>,
    /// The value that it assigned.
    pub value: Option<String>,
    /// The decisions around it, as they were decided, the innermost first.
    pub inside: Vec<(Option<Location>, String)>,
    /// Which execution of its statement it is, from 1.
    pub execution: u32,
    pub(crate) site: SiteId,
}

pub fn invariants_report(
    story: &Story<'_>,
    found: Result<&ErrorInvariants, &String>,
) -> InvariantsReport {
    let found = match found {
        Ok(found) => found,
        Err(why) => {
            return InvariantsReport {
                flow_sensitive: true,
                unknown: Some(why.clone()),
                fewest: false,
                invariants: Vec::new(),
                kept: Vec::new(),
                statements: 0,
            };
        }
    };
    let formulas = Formulas {
        story,
        terms: &found.terms,
        words: words(story, found),
        ambiguous: ambiguous(story, found),
        addresses: story.addresses.short(),
        pieces: Pieces::default(),
    };
    let invariant = |interval: &Interval| {
        let (parts, more) = grouped(&formulas, &interval.invariant, MOST_PARTS);
        let [from, to] = [interval.steps.0, interval.steps.1].map(|at| story.history.number(at));
        InvariantReport { from, to, parts, more }
    };
    let invariants = found.intervals.iter().map(invariant).collect();
    InvariantsReport {
        flow_sensitive: found.encoding == Encoding::FlowSensitive,
        unknown: None,
        fewest: found.fewest,
        invariants,
        kept: found.kept.iter().map(|kept| kept_report(&formulas, kept)).collect(),
        statements: found.commands,
    }
}

fn kept_report(formulas: &Formulas<'_>, kept: &Kept) -> KeptReport {
    let story = formulas.story;
    let failure = story.failure;
    let step = &failure.trace.steps[kept.step];
    let (kind, variables) = match &kept.what {
        What::Assignment => ("assignment", Vec::new()),
        What::Condition => ("condition", Vec::new()),
        What::Frame(variables) => {
            let names: Vec<String> = variables.iter().map(|&v| formulas.name(v)).collect();
            ("frame", grouped_names(&names))
        }
        What::Outcome => ("outcome", Vec::new()),
    };
    let value = match kept.what {
        What::Assignment => failure.values.get(kept.step).and_then(Option::as_ref),
        _ => None,
    };
    let shown =
        |value: &Value| value_text_with(story, &formulas.addresses, step, value).to_string();
    let inside = kept.inside.iter().map(|&decision| {
        let site = failure.trace.steps[decision].site;
        (site_location(failure.program, site), failure.program.site(site).text.clone())
    });
    KeptReport {
        step: story.history.number(kept.step),
        location: step_location(story, step),
        statement: statement_text(story, step),
        kind,
        variables,
        value: value.map(shown),
        inside: inside.collect(),
        execution: story.history.execution(kept.step),
        site: step.site,
    }
}

/// What stands for values from outside, and for outcomes of decisions.
fn words(story: &Story<'_>, found: &ErrorInvariants) -> HashMap<Term, String> {
    let failure = story.failure;
    let line = |step: usize| {
        let site = failure.trace.steps[step].site;
        site_location(failure.program, site).map_or(0, |location| location.start.line)
    };
    let text = |step: usize| failure.program.site(failure.trace.steps[step].site).text.clone();
    let mut words = HashMap::new();
    for &(variable, step) in &found.chosen {
        words.insert(variable, format!("input@{}", line(step)));
    }
    for &(variable, step) in &found.remembered {
        words.insert(variable, format!("({})@{}", text(step), line(step)));
    }
    words
}

/// Names that several variables of one formula have.
fn ambiguous(story: &Story<'_>, found: &ErrorInvariants) -> Vec<String> {
    let failure = story.failure;
    let mut names: Vec<String> = Vec::new();
    for interval in &found.intervals {
        let mut seen: HashSet<&str> = HashSet::new();
        for variable in found.terms.variables_of(&interval.invariant) {
            if failure.trace.labels.contains_key(&variable) {
                continue;
            }
            let (_, origin) = failure.trace.origin(variable);
            if let Some(declared) = failure.program.variables.get(&origin)
                && !seen.insert(&declared.name)
                && !names.contains(&declared.name)
            {
                names.push(declared.name.clone());
            }
        }
    }
    names
}
