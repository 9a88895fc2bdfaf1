//! From causes of steps to entries about statements.
//!
//! All executions of a decision are one entry, which stands where the first of them was reached. So a
//! tree has at most as many entries as the program has decisions.

use std::collections::HashMap;

use failure::{Part, Step};
use localize::cascade::{Cascade, Cause, Condition, Evidence, Strength};
use program::{SiteId, Trust};

use super::statements::{place as told_place, value as told_value};
use super::why::Teller;
use super::{CauseReport, CauseStatement, CauseTree, InfluenceReport, InstanceReport};
use crate::places::{returns, site_location, statement_text, step_location};
use crate::story::Story;

/// Which entry a cause belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Failure,
    Condition(SiteId),
    Address(SiteId),
    Trusted(SiteId),
}

pub fn cause_tree(story: &Story<'_>, cascade: &Cascade) -> CauseTree {
    let mut entries: Vec<Vec<usize>> = Vec::new();
    let mut places: HashMap<Key, usize> = HashMap::new();
    let mut entry_of: Vec<usize> = Vec::with_capacity(cascade.causes.len());
    for (number, cause) in cascade.causes.iter().enumerate() {
        let place = *places.entry(key(story, cause.condition)).or_insert(entries.len());
        if place == entries.len() {
            entries.push(Vec::new());
        }
        entries[place].push(number);
        entry_of.push(place);
    }
    let teller = Teller::new(story, cascade);
    let causes = entries.iter().map(|members| entry(&teller, members, &entry_of)).collect();
    CauseTree { causes, incomplete: cascade.incomplete.clone() }
}

fn key(story: &Story<'_>, condition: Condition) -> Key {
    let site = |step: usize| story.failure.trace.steps[step].site;
    match condition {
        Condition::Failure => Key::Failure,
        Condition::Held(step) => Key::Condition(site(step)),
        Condition::Address(step) => Key::Address(site(step)),
        Condition::Trusted(first, _) => Key::Trusted(call_of(story, first)),
    }
}

/// The call in the user's code that led to a step of trusted code.
pub(super) fn call_of(story: &Story<'_>, first: usize) -> SiteId {
    let failure = story.failure;
    let at = failure.trace.steps[first].at as usize;
    let before = failure.trace.path[..at].last();
    before.map_or(failure.trace.steps[first].site, |&edge| failure.program.edge(edge).site)
}

/// So many executions of a condition are described.
const MOST_INSTANCES: usize = 100;

/// The first and the last executions, and how many are between them.
fn some_of(members: &[usize]) -> (Vec<usize>, usize) {
    let left_out = members.len().saturating_sub(MOST_INSTANCES);
    let half = MOST_INSTANCES / 2;
    let some = members.iter().enumerate();
    let some = some.filter(|(at, _)| left_out == 0 || *at < half || *at >= half + left_out);
    (some.map(|(_, &member)| member).collect(), left_out)
}

/// The entry of some causes, the first of which was reached first.
fn entry(teller: &Teller<'_>, members: &[usize], entry_of: &[usize]) -> CauseReport {
    let (story, cascade) = (teller.story, teller.cascade);
    let Some(first) = members.first().map(|&first| &cascade.causes[first]) else {
        return CauseReport::default();
    };
    let own = entry_of[members[0]];
    let (location, condition) = place(story, first.condition);
    let all = members.iter().map(|&member| &cascade.causes[member]);
    let (some, left_out) = some_of(members);
    let mut instances: Vec<InstanceReport> =
        some.iter().map(|&member| teller.instance(&cascade.causes[member])).collect();
    instances.sort_by_key(|instance| instance.execution);
    let exact = all.clone().any(|cause| matches!(cause.evidence, Evidence::Core { .. }));
    let known = all.clone().all(|cause| !matches!(cause.evidence, Evidence::Unknown(_)));
    CauseReport {
        level: first.level,
        parent: first.parent.map(|parent| entry_of[parent]),
        location,
        condition,
        values: teller.values(first.condition),
        statements: statements(story, &all.clone().collect::<Vec<_>>()),
        held: teller.held(first.condition),
        because: teller.because(first),
        why: teller.why(first),
        chain: teller.chain(members[0]),
        evidence: match (exact, known) {
            (true, _) => "core",
            (false, true) => "data flow",
            (false, false) => "unknown",
        },
        instances,
        left_out,
        influences: influences(teller, members, own, entry_of),
    }
}

/// Where a condition is, and how it is written.
fn place(story: &Story<'_>, condition: Condition) -> (Option<crate::report::Location>, String) {
    let failure = story.failure;
    let program = failure.program;
    let of_step = |step: &Step| (step_location(story, step), statement_text(story, step));
    match condition {
        Condition::Failure => {
            let own = [failure.site()].into_iter().chain(failure.calls.iter().copied());
            let shown = own.clone().find(|&site| {
                let site = program.site(site);
                site.trust == Trust::User && site.span.is_some()
            });
            let shown = shown.unwrap_or(failure.site());
            (site_location(program, shown), program.site(shown).text.clone())
        }
        Condition::Held(step) | Condition::Address(step) => of_step(&failure.trace.steps[step]),
        Condition::Trusted(first, _) => {
            let call = call_of(story, first);
            (site_location(program, call), program.site(call).text.clone())
        }
    }
}

/// The statements of causes that a programmer sees, in the order of their first execution.
fn statements(story: &Story<'_>, causes: &[&Cause]) -> Vec<CauseStatement> {
    let failure = story.failure;
    let mut steps: Vec<usize> =
        causes.iter().flat_map(|cause| cause.steps.iter().copied()).collect();
    steps.sort_unstable();
    steps.dedup();
    let mut places: HashMap<(SiteId, Part), usize> = HashMap::new();
    let mut found: Vec<CauseStatement> = Vec::new();
    for at in steps {
        let step = &failure.trace.steps[at];
        if !is_shown(story, step) {
            continue;
        }
        let place = *places.entry((step.site, step.part)).or_insert(found.len());
        if place == found.len() {
            found.push(CauseStatement {
                location: step_location(story, step),
                text: statement_text(story, step),
                value: String::new(),
                executions: 0,
            });
        }
        found[place].executions += 1;
        found[place].value = effect(story, at).unwrap_or_default();
    }
    found
}

/// Whether a step is a statement of the user.
pub(super) fn is_shown(story: &Story<'_>, step: &Step) -> bool {
    let site = story.failure.program.site(step.site);
    step.part != Part::Temporary && site.trust == Trust::User && site.span.is_some()
}

/// What a step assigned, such as `x = 3`.
pub(super) fn effect(story: &Story<'_>, at: usize) -> Option<String> {
    let step = &story.failure.trace.steps[at];
    let (value, place) = (told_value(story, at)?, told_place(story, at));
    Some(match place.as_str() {
        _ if returns(story, step) => format!("return {value}"),
        "" => value,
        place => {
            format!("{place} {} {value}", story.failure.program.language.assignment())
        }
    })
}

fn influences(
    teller: &Teller<'_>,
    members: &[usize],
    own: usize,
    entry_of: &[usize],
) -> Vec<InfluenceReport> {
    let mut places: HashMap<(usize, &'static str), usize> = HashMap::new();
    let mut found: Vec<InfluenceReport> = Vec::new();
    for &member in members {
        for influence in &teller.cascade.causes[member].influences {
            let cause = entry_of[influence.cause];
            if cause == own {
                continue;
            }
            let confirmed = influence.strength == Strength::Confirmed;
            let place = *places.entry((cause, influence.kind.name())).or_insert(found.len());
            if place == found.len() {
                found.push(InfluenceReport {
                    cause,
                    kind: influence.kind.name(),
                    confirmed,
                    sentence: teller.influence(influence),
                });
            }
            found[place].confirmed |= confirmed;
        }
    }
    found.sort_by_key(|influence| influence.cause);
    found
}
