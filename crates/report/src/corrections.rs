//! Corrections in the terms of the source.

use failure::Step;
use localize::corrections::{Corrections, Insertion, Instead, Minimality, Needed, Spot};
use program::{SiteId, Statement, VariableRole};
use term::{Term, Value};

use crate::expressions::assigned;
use crate::places::{change_of_text, change_text, is_result, site_location, value_text};
use crate::report::{Location, RunFacts};
use crate::story::Story;
use crate::values::show;

/// The sets of statements that could be changed such that nothing fails.
#[derive(Clone, Debug)]
pub struct CorrectionsReport {
    /// How many failing tests, or executions, it is about.
    pub tests: usize,
    /// What they are called, if there is a suite.
    pub names: Option<Vec<String>>,
    /// All sets of up to so many statements were looked at.
    pub size: usize,
    pub complete: bool,
    /// That is said of runs with up to so many steps, and the failing one has so many; for each test.
    pub lengths: Vec<u64>,
    pub failing: Vec<u64>,
    /// Whether pointers were changed: not to all that there are.
    pub pointers: bool,
    /// The smallest first, then those that no passing test speaks against, then in the order of the source.
    pub sets: Vec<SetReport>,
    /// Every set has one of these; None if something is undecided.
    pub must: Option<Vec<SpotReport>>,
    pub undecided: Vec<UndecidedReport>,
    /// Assignments that may be missing before statements.
    pub insertions: Vec<InsertionReport>,
    /// The most responsible first.
    pub responsibility: Vec<(SpotReport, f64)>,
}

/// Statements that could be changed together.
#[derive(Clone, Debug)]
pub struct SetReport {
    /// In the order of the source.
    pub changes: Vec<ChangeReport>,
    /// Whether all of them are needed.
    pub minimality: Minimality,
}

/// A statement that could be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpotReport {
    pub location: Option<Location>,
    pub statement: String,
}

impl SpotReport {
    /// The order of the source.
    fn order(&self) -> Option<(u32, u32, u32)> {
        self.location.as_ref().map(|at| (at.span.file.0, at.span.start, at.span.end))
    }
}

/// A statement of a set, and what it would do instead.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeReport {
    pub spot: SpotReport,
    pub responsibility: f64,
    /// For each test, if it has to do something else there.
    pub instead: Vec<Option<InsteadReport>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsteadReport {
    /// What it does the first time that it does something else.
    pub text: String,
    /// How often it does something else.
    pub executions: usize,
    /// The passing test in which it reads the same values, and does something else.
    pub contradicted: Option<String>,
}

/// An assignment that may be missing.
#[derive(Clone, Debug)]
pub struct InsertionReport {
    pub before: SpotReport,
    /// Where the same could be assigned instead, in the order of the source.
    pub also_before: Vec<SpotReport>,
    pub variable: String,
    /// For each test, what is to be assigned first.
    pub values: Vec<Option<String>>,
}

#[derive(Clone, Debug)]
pub struct UndecidedReport {
    pub spots: Vec<SpotReport>,
    pub why: &'static str,
}

pub fn corrections_report(
    stories: &[Story<'_>],
    first: &Story<'_>,
    found: &Corrections,
    facts: &RunFacts,
) -> CorrectionsReport {
    let named = |spots: &[Spot]| {
        let mut named: Vec<SpotReport> =
            spots.iter().map(|&spot| spot_report(first, spot)).collect();
        named.sort_by_key(SpotReport::order);
        named
    };
    let score = |spot: Spot| found.responsibility(spot).unwrap_or(0.0);
    let mut sets: Vec<(usize, SetReport)> = Vec::new();
    for set in &found.sets {
        let changes = set.spots.iter().map(|&spot| ChangeReport {
            spot: spot_report(first, spot),
            responsibility: score(spot),
            instead: set
                .witnesses
                .iter()
                .zip(stories)
                .map(|(witness, story)| {
                    let needed = witness.needed.iter().find(|needed| needed.spot == spot)?;
                    Some(instead_report(story, needed, facts))
                })
                .collect(),
        });
        let mut changes: Vec<ChangeReport> = changes.collect();
        changes.sort_by_key(|change| change.spot.order());
        sets.push((set.contradictions(), SetReport { changes, minimality: set.minimality }));
    }
    // What may not be needed as a whole comes last.
    sets.sort_by_cached_key(|(contradictions, set)| {
        let order: Vec<_> = set.changes.iter().map(|change| change.spot.order()).collect();
        (set.changes.len(), set.minimality == Minimality::Open, *contradictions, order)
    });
    let mut spots: Vec<Spot> = found.sets.iter().flat_map(|set| set.spots.clone()).collect();
    spots.sort_unstable();
    spots.dedup();
    let mut responsibility: Vec<(SpotReport, f64)> = spots
        .iter()
        .filter_map(|&s| Some((spot_report(first, s), found.responsibility(s)?)))
        .collect();
    responsibility.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.order().cmp(&b.0.order())));
    CorrectionsReport {
        tests: found.tests,
        names: facts.suite.as_ref().map(|suite| {
            let explained = suite.explained.iter();
            explained.filter_map(|&number| test_name(number, facts)).collect()
        }),
        size: found.size,
        complete: found.complete(),
        lengths: found.lengths.clone(),
        failing: found.failing.clone(),
        pointers: found.pointers,
        sets: sets.into_iter().map(|(_, set)| set).collect(),
        must: found.must.as_deref().map(named),
        undecided: found
            .undecided
            .iter()
            .map(|open| UndecidedReport { spots: named(&open.spots), why: open.why })
            .collect(),
        insertions: found.insertions.iter().filter_map(|i| insertion_report(stories, i)).collect(),
        responsibility,
    }
}

fn insertion_report(stories: &[Story<'_>], insertion: &Insertion) -> Option<InsertionReport> {
    let story = stories.first()?;
    let (name, ty) = insertion.variable.declared(story.failure.program)?;
    let (first, others) = insertion.places.split_first()?;
    let values = first.witnesses.iter().zip(stories).map(|(witness, story)| {
        match &witness.needed.first()?.instead {
            Instead::Value { now, .. } => Some(show(&story.addresses, now, ty).code),
            _ => None,
        }
    });
    let others = others.iter().flat_map(|place| &place.spots);
    let mut also_before: Vec<SpotReport> = others.map(|&spot| spot_report(story, spot)).collect();
    also_before.sort_by_key(SpotReport::order);
    Some(InsertionReport {
        before: spot_report(story, *first.spots.first()?),
        also_before,
        variable: name.to_owned(),
        values: values.collect(),
    })
}

fn test_name(number: usize, facts: &RunFacts) -> Option<String> {
    let test = facts.suite.as_ref()?.tests.get(number)?;
    Some(test.name.clone())
}

fn spot_report(story: &Story<'_>, spot: Spot) -> SpotReport {
    let (program, site) = (story.failure.program, spot.site());
    let text = &program.site(site).text;
    let statement = match story.calls.get(&site) {
        Some(&call) => format!("{text} (argument of {})", program.site(call).text),
        None => text.clone(),
    };
    SpotReport { location: site_location(program, site), statement }
}

fn instead_report(story: &Story<'_>, needed: &Needed, facts: &RunFacts) -> InsteadReport {
    let text = instead_text(story, needed);
    let contradicted = needed.contradicted.and_then(|test| test_name(test as usize, facts));
    InsteadReport { text, executions: needed.executions, contradicted }
}

/// What a statement does instead.
pub fn instead_text(story: &Story<'_>, needed: &Needed) -> String {
    match &needed.instead {
        Instead::Decision => "decides otherwise".to_owned(),
        Instead::Output => "prints what is expected".to_owned(),
        Instead::Value { at, was, now } => {
            value_change(story, (needed.spot.site(), *at), was.as_ref(), now)
        }
    }
}

/// Another value that a statement assigns, such as "`x = 1` instead of 2".
fn value_change(
    story: &Story<'_>,
    (site, at): (SiteId, usize),
    was: Option<&Value>,
    now: &Value,
) -> String {
    let (change, was) = match executed(story, (site, at), was, now) {
        Some(step) => {
            // With another change, it may be another element than in the failing run.
            let name = assigned(&story.failure.program.site(site).text);
            let change = match name.filter(|name| name.contains('[')) {
                Some(name) => change_of_text(story, step, name, now),
                None => change_text(story, step, now),
            };
            (change, was.map(|was| value_text(story, step, was).to_string()))
        }
        None => elsewhere(story, site, was, now),
    };
    match was {
        Some(was) => format!("{change} instead of {was}"),
        None => change,
    }
}

/// The step of the failing run in which a statement assigned this value, best at an index of the path; else one in which it assigned
/// a value of the same sort.
fn executed<'s>(
    story: &'s Story<'_>,
    (site, at): (SiteId, usize),
    was: Option<&Value>,
    now: &Value,
) -> Option<&'s Step> {
    let failure = story.failure;
    let own = || {
        let steps = failure.trace.steps.iter().zip(&failure.values);
        steps.filter(move |(step, value)| {
            step.site == site
                && step.is_assignment()
                && value.as_ref().is_some_and(|value| value.sort() == now.sort())
        })
    };
    let exactly = || own().filter(|(_, value)| value.as_ref() == was);
    let here = exactly().find(|(step, _)| step.at as usize == at);
    here.or_else(|| exactly().next()).or_else(|| own().next()).map(|(step, _)| step)
}

/// The same for a statement that the failing run did not execute: what it assigns is known from the program.
fn elsewhere(
    story: &Story<'_>,
    site: SiteId,
    was: Option<&Value>,
    now: &Value,
) -> (String, Option<String>) {
    let program = story.failure.program;
    let target = target(story, site);
    let variable = target.and_then(|target| program.variables.get(&target));
    let ty = variable.and_then(|variable| variable.ty);
    let shown = |value: &Value| show(&story.addresses, value, ty);
    let code = shown(now).code;
    let name = match variable {
        Some(variable) if variable.role == VariableRole::Source => Some(variable.name.as_str()),
        _ => assigned(&program.site(site).text),
    };
    let change = match name {
        _ if target.is_some_and(|target| is_result(program, target)) => format!("`return {code}`"),
        Some(name) => format!("`{name} {} {code}`", program.language.assignment()),
        None => format!("`{code}`"),
    };
    (change, was.map(|was| shown(was).to_string()))
}

/// The variable that a statement assigns, or the parameter that an argument is passed as.
fn target(story: &Story<'_>, site: SiteId) -> Option<Term> {
    let program = story.failure.program;
    let edges = |site: SiteId| program.edges.iter().filter(move |edge| edge.site == site);
    match story.calls.get(&site) {
        None => edges(site).find_map(|edge| match &edge.statement {
            Statement::Assign { place, .. } if place.indices.is_empty() => Some(place.variable),
            _ => None,
        }),
        Some(&call) => {
            let number = program.argument_sites.get(&call)?.iter().position(|&own| own == site)?;
            edges(call).find_map(|edge| match &edge.statement {
                Statement::Call { callee, .. } => {
                    program.procedure(*callee).parameters.get(number).copied()
                }
                _ => None,
            })
        }
    }
}
