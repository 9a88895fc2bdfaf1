//! Error invariants in the terms of the source.

use std::collections::{BTreeSet, HashMap, HashSet};

use failure::Failure;
use localize::commands::Encoding;
use localize::error_invariants::{ErrorInvariants, Interval, Kept, What};
use program::{Scope, SiteId, Trust};
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

impl InvariantsReport {
    /// Why nothing is needed, if nothing is: then the formula is `true`, and alone would explain nothing.
    pub fn nothing_needed(&self) -> Option<&'static str> {
        let is_trivial = |invariant: &InvariantReport| invariant.parts.is_empty();
        if self.unknown.is_some()
            || !self.kept.is_empty()
            || !self.invariants.iter().all(is_trivial)
        {
            return None;
        }
        Some(match self.flow_sensitive {
            true => {
                "they are about the values of variables, \
                 and on this path it happens whatever these are"
            }
            false => {
                "they are about the values of variables, \
                 and on this path it happens whatever these are; \
                 why the path was taken is not asked with --flow-sensitive=no"
            }
        })
    }
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
    /// `assignment`, `condition`, `check`, `frame` or `outcome`.
    pub kind: &'static str,
    /// The variables of a frame.
    pub variables: Vec<String>,
    /// The value that it assigned; the condition that was checked.
    pub value: Option<String>,
    /// The decisions around it, as they were decided, the innermost first.
    pub inside: Vec<(Option<Location>, String)>,
    /// Which execution of its statement it is, from 1.
    pub execution: u32,
    /// It belongs to the same execution as the next one: a statement that assigns several things.
    pub continues: bool,
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
        kept: kept_reports(&formulas, &found.kept),
        statements: found.commands,
    }
}

fn kept_reports(formulas: &Formulas<'_>, kept: &[Kept]) -> Vec<KeptReport> {
    let steps = &formulas.story.failure.trace.steps;
    let mut reports: Vec<KeptReport> =
        kept.iter().map(|kept| kept_report(formulas, kept)).collect();
    for (number, pair) in kept.windows(2).enumerate() {
        let (first, last) = (pair[0].step, pair[1].step);
        let site = steps[first].site;
        let same = steps[first..=last].iter().all(|step| step.site == site);
        reports[number].continues =
            same && reports[number].statement == reports[number + 1].statement;
    }
    reports
}

fn kept_report(formulas: &Formulas<'_>, kept: &Kept) -> KeptReport {
    let story = formulas.story;
    let failure = story.failure;
    let step = &failure.trace.steps[kept.step];
    let (kind, variables) = match &kept.what {
        What::Assignment => ("assignment", Vec::new()),
        What::Condition => ("condition", Vec::new()),
        What::Check(_) => ("check", Vec::new()),
        What::Frame(variables) => {
            let names: Vec<String> = variables.iter().map(|&v| formulas.name(v)).collect();
            ("frame", grouped_names(&names))
        }
        What::Outcome => ("outcome", Vec::new()),
    };
    let shown =
        |value: &Value| value_text_with(story, &formulas.addresses, step, value).to_string();
    let value = match kept.what {
        What::Assignment => failure.values.get(kept.step).and_then(Option::as_ref).map(shown),
        What::Check(condition) => Some(formulas.alone(condition)),
        _ => None,
    };
    let inside = kept.inside.iter().map(|&decision| {
        let site = failure.trace.steps[decision].site;
        (site_location(failure.program, site), failure.program.site(site).text.clone())
    });
    let (location, statement) = match library_call(story, kept.step) {
        Some(call) => {
            (site_location(failure.program, call), failure.program.site(call).text.clone())
        }
        None => (step_location(story, step), statement_text(story, step)),
    };
    KeptReport {
        step: story.history.number(kept.step),
        location,
        statement,
        kind,
        variables,
        value,
        inside: inside.collect(),
        execution: story.history.execution(kept.step),
        continues: false,
        site: step.site,
    }
}

/// If a step is one of the library: where the program has called it.
fn library_call(story: &Story<'_>, step: usize) -> Option<SiteId> {
    let failure = story.failure;
    let site = |step: usize| failure.trace.steps[step].site;
    let is_trusted = |step: usize| failure.program.site(site(step)).trust == Trust::Trusted;
    if !is_trusted(step) {
        return None;
    }
    let before = (0..step).rev().find(|&step| !is_trusted(step)).map(site)?;
    Some(story.calls.get(&before).copied().unwrap_or(before))
}

/// What variables that have no name in the source are called: values from outside, outcomes of decisions, values on their
/// way; and variables of one name that are in one formula.
fn words(story: &Story<'_>, found: &ErrorInvariants) -> HashMap<Term, String> {
    let failure = story.failure;
    let line = |step: usize| {
        let site = failure.trace.steps[step].site;
        site_location(failure.program, site).map_or(0, |location| location.start.line)
    };
    let text = |step: usize| failure.program.site(failure.trace.steps[step].site).text.clone();
    let mut words = HashMap::new();
    let mut inputs: HashMap<u32, Vec<Term>> = HashMap::new();
    for &(variable, step) in &found.chosen {
        inputs.entry(line(step)).or_default().push(variable);
    }
    for (line, variables) in inputs {
        let several = variables.len() > 1;
        for (number, variable) in variables.into_iter().enumerate() {
            let number = if several { format!("#{}", number + 1) } else { String::new() };
            words.insert(variable, format!("input@{line}{number}"));
        }
    }
    for &(variable, step) in &found.remembered {
        words.insert(variable, format!("({})@{}", text(step), line(step)));
    }
    let name = |variable: Term| {
        let (_, origin) = failure.trace.origin(variable);
        failure.program.variables.get(&origin).map_or("", |declared| declared.name.as_str())
    };
    // The variables of each condition that are not cells.
    let mut known: HashMap<Term, Vec<Term>> = HashMap::new();
    let mut together: HashMap<&str, BTreeSet<Term>> = HashMap::new();
    for interval in &found.intervals {
        let mut own: HashMap<&str, BTreeSet<Term>> = HashMap::new();
        for &part in &interval.invariant {
            let variables = known.entry(part).or_insert_with(|| {
                let mut variables = found.terms.variables_of(&[part]);
                let is_cell = |variable: &Term| failure.trace.labels.contains_key(variable);
                variables.retain(|v| !words.contains_key(v) && !is_cell(v));
                variables
            });
            for &variable in variables.iter() {
                own.entry(name(variable)).or_default().insert(variable);
            }
        }
        for (name, variables) in own.into_iter().filter(|(_, variables)| variables.len() > 1) {
            together.entry(name).or_default().extend(variables);
        }
    }
    let mut unnamed: HashSet<Term> = known.into_values().flatten().collect();
    unnamed.retain(|&variable| name(variable).is_empty());
    for (at, step) in failure.trace.steps.iter().enumerate() {
        if let Some(place) = step.action.place()
            && unnamed.remove(&place.variable)
        {
            words.insert(place.variable, format!("({})@{}", text(at), line(at)));
        }
    }
    for (name, variables) in together.into_iter().filter(|(name, _)| !name.is_empty()) {
        for &variable in &variables {
            words.insert(variable, qualified(failure, name, variable, &variables));
        }
    }
    words
}

/// The name of a variable, with its function; and with the number of the call if that is not enough.
fn qualified(failure: &Failure<'_>, name: &str, variable: Term, all: &BTreeSet<Term>) -> String {
    let scope = |variable: Term| {
        let (_, origin) = failure.trace.origin(variable);
        failure.program.variables.get(&origin).map(|declared| declared.scope)
    };
    let own = scope(variable);
    let Some(Scope::Local(procedure)) = own else { return name.to_owned() };
    let function = &failure.program.procedure(procedure).name;
    match all.iter().filter(|&&other| scope(other) == own).count() {
        1 => format!("{function}::{name}"),
        _ => format!("{function}::{name}#{}", failure.trace.origin(variable).0),
    }
}
