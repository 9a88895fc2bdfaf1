//! Forced changes: which value or decision of a single statement, forced in a real run, makes the failing tests pass?
//!
//! *What is done.* A failing run is repeated, something is forced upon it, and it goes on to its end, wherever that leads
//! ([`Failure::rerun`]). If nothing fails then, that is the claim, and the run is its proof. A statement is told if it has such
//! a run of each failing test; what is forced may differ from test to test.
//!
//! *What is forced.* Statements of the relevant slice are tried, the last executed first: first one execution, the last or the
//! first, then all executions, then some others.
//!
//! - An assignment assigns another value: one with which it is relevant, one that the violated condition mentions, or a small one.
//! - A decision is made the other way.
//! - A call that prints prints what is expected. That says where the output goes wrong, but not why; so it comes last.
//!
//! *Example.* `x = 1; if (x > 0) y = 2; else y = 3; assert(y == 3);` fails. With the decision made the other way, it passes;
//! likewise with `x = 0`, and with `y = 3`.
//!
//! *What is not said.* That no other statement is enough: other values may help, or several together. Minimal sets of statements, as
//! BugAssist and CFaults look for them, and the proof that there are no others, cost a hundred times more, and told little more
//! about where faults are.
//!
//! *Limits.* All runs together are limited by counted work. A run is given twice as long as the failing one would take. A run
//! that is too long to be repeated from its start is left alone.

use failure::{Action, Ended, Failure, Force, Forced, Part, When};
use program::graph::writes::prints;
use program::{EdgeId, FailureKind, LocationId, Program, SiteId, Statement, Trust};
use rustc_hash::FxHashMap;
use term::number::IBig;
use term::{Sort, Value};

use crate::context::Context;
use crate::costs;
use crate::flow::Flow;
use crate::relevance::{Relevance, Verdict};
use crate::slice::{Omissions, slice};

/// A statement with which all failing runs pass, if it does something else.
#[derive(Clone, Debug)]
pub struct Change {
    pub site: SiteId,
    /// How each of them does.
    pub passing: Vec<Passing>,
}

/// A run that passes.
#[derive(Clone, Debug)]
pub struct Passing {
    pub forced: Forced,
    /// In how many executions the statement does something else.
    pub executions: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Those of one execution first, then in the order in which they were last executed, the last first; what is printed comes last.
    pub found: Vec<Change>,
    /// How many runs were made. None if they are too long to be repeated.
    pub runs: u64,
}

impl Change {
    /// Whether it is enough that one execution does something else, in each of the runs.
    pub fn is_once(&self) -> bool {
        self.passing.iter().all(|passing| passing.executions <= 1)
    }

    /// Whether it decides otherwise.
    pub fn decides(&self) -> bool {
        let is_decision =
            |it: &Passing| matches!(it.forced.what, Force::Edge(_) | Force::OtherEdge);
        self.passing.first().is_some_and(is_decision)
    }

    /// Whether it only prints what is expected.
    pub fn prints(&self) -> bool {
        self.passing.first().is_some_and(|passing| passing.forced.what == Force::Output)
    }
}

/// All runs together may have so many instructions: about a third of a second of counted work. So many count for each run.
const MOST_EFFORT: u64 = 7_500_000;
const EACH: u64 = 1_000;
/// How long a run may be: so many times as long as the failing one would be, and so many instructions more.
const LONGER: (u64, u64) = (2, 20_000);
/// What the failing run would have done after its failure is a measure if it is no more than this.
const MOST_AFTER: u64 = 100_000;
/// So many values of a kind are tried for a statement.
const MOST_VALUES: usize = 6;
/// So many executions between the first and the last are tried, of a decision and of an assignment.
const BETWEEN: [usize; 2] = [12, 4];

/// Statements with which all failing runs pass. What is known of their relevance says which values are likely.
pub fn changes(failures: &[Failure<'_>], relevance: &[Relevance], context: Context<'_>) -> Changes {
    let (mut found, mut runs) = (Vec::<Change>::new(), 0);
    for (number, failure) in failures.iter().enumerate() {
        let before = (number > 0).then_some(&found[..]);
        let most = MOST_EFFORT / failures.len() as u64;
        let Some(mut search) = Search::new(failure, relevance, context, most) else {
            return Changes::default();
        };
        let passing = search.run(before);
        runs += search.runs;
        found = match number {
            0 => passing
                .into_iter()
                .map(|(site, passing)| Change { site, passing: vec![passing] })
                .collect(),
            _ => {
                let mut passing: FxHashMap<SiteId, Passing> = passing.into_iter().collect();
                found.retain_mut(|change| {
                    let own = passing.remove(&change.site);
                    change.passing.extend(own);
                    change.passing.len() > number
                });
                found
            }
        };
    }
    found.sort_by_key(|change| (change.prints(), !change.is_once()));
    Changes { found, runs }
}

/// A part of a statement that can do something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// What it assigns by an edge.
    Value(Part, EdgeId),
    Decision(LocationId),
    Print(EdgeId),
}

/// It, and its executions.
#[derive(Debug)]
struct Place {
    site: SiteId,
    kind: Kind,
    /// Indices in the path, and steps of the trace if it assigns something; the last first.
    executions: Vec<(usize, usize)>,
}

/// What is tried, in turn: for all statements, before anything else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Last,
    First,
    Always,
    Between,
}

/// Looks for changes with which a failing run passes.
struct Search<'a> {
    failure: &'a Failure<'a>,
    context: Context<'a>,
    /// Values with which something is relevant.
    witnesses: FxHashMap<(SiteId, Part), Vec<Value>>,
    /// The constants of the condition that is violated.
    mentioned: Vec<Value>,
    longest: u64,
    /// How much more may be done.
    left: u64,
    runs: u64,
}

impl<'a> Search<'a> {
    /// None if the run cannot be repeated.
    fn new(
        failure: &'a Failure<'a>,
        relevance: &[Relevance],
        context: Context<'a>,
        most: u64,
    ) -> Option<Search<'a>> {
        let again = failure.rerun(&[], u64::MAX)?;
        if again.end == Ended::Passed {
            return None;
        }
        let whole = failure.length(again.effort.saturating_add(MOST_AFTER)).unwrap_or(0);
        let longest = match again.end {
            Ended::Cut => again.effort,
            _ => again.effort.max(whole).saturating_mul(LONGER.0).saturating_add(LONGER.1),
        };
        let mut witnesses: FxHashMap<(SiteId, Part), Vec<Value>> = FxHashMap::default();
        let trace = &failure.trace;
        for step in relevance.iter().flat_map(|it| it.steps.iter().rev()) {
            if let Verdict::Relevant { witness, .. } = &step.verdict
                && let Some(of) = trace.steps.get(step.step)
            {
                let known = witnesses.entry((of.site, of.part)).or_default();
                if !known.contains(&witness.value) && known.len() < MOST_VALUES {
                    known.push(witness.value.clone());
                }
            }
        }
        let last = trace.steps.last().map(|step| step.action.operands().collect::<Vec<_>>());
        let reached = trace.terms.reachable(&last.unwrap_or_default());
        let mentioned = reached.into_iter().filter_map(|term| trace.terms.value(term)).cloned();
        let mentioned = mentioned.collect();
        Some(Search { failure, context, witnesses, mentioned, longest, left: most, runs: 0 })
    }

    /// The statements with which it passes, the last executed first. Only those that are `before`, if they are given.
    fn run(&mut self, before: Option<&[Change]>) -> Vec<(SiteId, Passing)> {
        let places = places(self.failure);
        let earlier = |site: SiteId| before?.iter().find(|change| change.site == site);
        let mut found: Vec<(usize, SiteId, Passing)> = Vec::new();
        'rounds: for round in [Round::Last, Round::First, Round::Always, Round::Between] {
            for (number, place) in places.iter().enumerate() {
                let known = earlier(place.site);
                if before.is_some() && known.is_none()
                    || found.iter().any(|(_, site, _)| *site == place.site)
                {
                    continue;
                }
                let mut tries = self.tries(place, round);
                if let (Round::Last, Some(known)) = (round, known) {
                    tries.splice(0..0, self.same(place, &known.passing[0].forced));
                }
                for forced in tries {
                    if self.left == 0 || self.context.stop.requested() {
                        break 'rounds;
                    }
                    if let Some(executions) = self.passes(&forced) {
                        found.push((number, place.site, Passing { forced, executions }));
                        break;
                    }
                }
            }
        }
        found.sort_by_key(|(number, ..)| *number);
        found.into_iter().map(|(_, site, passing)| (site, passing)).collect()
    }

    /// In how many executions something else happens, if the run passes.
    fn passes(&mut self, forced: &Forced) -> Option<u32> {
        let ran = self.failure.rerun(std::slice::from_ref(forced), self.longest)?;
        let effort = ran.effort + EACH;
        self.left = self.left.saturating_sub(effort);
        self.runs += 1;
        self.context.stop.spend(effort as usize, costs::EDGE);
        (ran.end == Ended::Passed && ran.executions > 0).then_some(ran.executions)
    }

    /// What is worth a try in a round.
    fn tries(&self, place: &Place, round: Round) -> Vec<Forced> {
        let executions = &place.executions;
        let count = executions.len();
        let between = |most: usize| {
            let inner = executions.get(1..count.saturating_sub(1)).unwrap_or(&[]);
            inner.iter().step_by(inner.len().div_ceil(most).max(1)).copied()
        };
        let decides = matches!(place.kind, Kind::Decision(_));
        let (chosen, when): (Vec<(usize, usize)>, When) = match round {
            Round::Last => (vec![executions[0]], When::Once),
            Round::First => (executions[1..].last().copied().into_iter().collect(), When::Once),
            Round::Always => (vec![executions[0]], When::Always),
            Round::Between => (between(BETWEEN[usize::from(!decides)]).collect(), When::Once),
        };
        let mut tries = Vec::new();
        for (at, step) in chosen {
            let whats = match place.kind {
                Kind::Value(part, _) => self.values(place.site, part, step, round),
                Kind::Decision(from) => self.ways(at, from, when),
                Kind::Print(_) => vec![Force::Output],
            };
            tries.extend(whats.into_iter().map(|what| Forced { at, what, when }));
        }
        tries
    }

    /// The other ways of a decision.
    fn ways(&self, at: usize, from: LocationId, when: When) -> Vec<Force> {
        let taken = self.failure.trace.path[at];
        let edges: Vec<EdgeId> = self.failure.program.out_edges(from).map(|(id, _)| id).collect();
        let two = edges.len() == 2;
        let mut ways = if two { vec![Force::OtherEdge] } else { Vec::new() };
        // Once, the other edge says it all.
        if !two || when == When::Always {
            let others = edges.into_iter().filter(|&edge| two || edge != taken);
            ways.extend(others.take(MOST_VALUES).map(Force::Edge));
        }
        ways
    }

    /// Other values of an assignment.
    fn values(&self, site: SiteId, part: Part, step: usize, round: Round) -> Vec<Force> {
        let Some(Some(own)) = self.failure.values.get(step) else { return Vec::new() };
        let sort = own.sort();
        let known = self.witnesses.get(&(site, part)).into_iter().flatten();
        let mentioned = self.mentioned.iter().filter(|value| value.sort() == sort);
        let mut values: Vec<Value> = known.chain(mentioned.take(MOST_VALUES)).cloned().collect();
        if round != Round::Between {
            values.extend(small(own, &sort));
        }
        let mut tried = Vec::new();
        for value in values {
            if value != *own && value.sort() == sort && !tried.contains(&value) {
                tried.push(value);
            }
        }
        tried.into_iter().map(|value| Force::Value { step, value }).collect()
    }

    /// The same as in another run.
    fn same(&self, place: &Place, known: &Forced) -> Option<Forced> {
        let (at, step) = *place.executions.first()?;
        let what = match (place.kind, &known.what) {
            (Kind::Value(..), Force::Value { value, .. }) => {
                let own = self.failure.values.get(step)?.as_ref()?;
                let value = value.clone();
                (own.sort() == value.sort()).then_some(Force::Value { step, value })?
            }
            (Kind::Decision(_), what @ (Force::Edge(_) | Force::OtherEdge)) => what.clone(),
            (Kind::Print(_), Force::Output) => Force::Output,
            _ => return None,
        };
        Some(Forced { at, what, when: known.when })
    }
}

/// Small values, and those next to a value. Of an address, only null.
fn small(own: &Value, sort: &Sort) -> Vec<Value> {
    let number = |number: i32| Value::number(sort, &IBig::from(number));
    match (sort, own) {
        (Sort::Bool, _) => vec![Value::Bool(false), Value::Bool(true)],
        (_, Value::BitVec(bits)) if bits.width() == 64 && bits.unsigned() >> 32 != 0 => {
            vec![number(0)]
        }
        (Sort::Int | Sort::BitVec(_), _) => {
            vec![number(0), number(1), own.add(&number(1)), own.add(&number(-1)), number(-1)]
        }
        _ => vec![Value::zero(sort)],
    }
}

/// What can do something else in a run, the last executed first.
fn places(failure: &Failure<'_>) -> Vec<Place> {
    let (program, trace) = (failure.program, &failure.trace);
    let is_own = |site: SiteId| program.site(site).trust == Trust::User;
    let endless =
        matches!(failure.property.kind, FailureKind::StepLimit | FailureKind::StackOverflow);
    let included = match endless {
        true => vec![true; trace.steps.len()],
        false => slice(&Flow::of(failure), Omissions::Followed),
    };
    let mut found: Vec<(usize, usize, SiteId, Kind)> = Vec::new();
    for (number, step) in trace.steps.iter().enumerate().filter(|(number, _)| included[*number]) {
        let at = step.at as usize;
        let Some(&edge) = trace.path.get(at) else { continue };
        match step.action {
            Action::Assume { .. } if is_decision(program, edge) => {
                let decider = program.decider(edge);
                let kind = Kind::Decision(program.edge(edge).from);
                found.extend(is_own(decider).then_some((at, number, decider, kind)));
            }
            Action::Assume { .. } => {}
            _ if step.is_assignment() && is_own(step.site) => {
                found.push((at, number, step.site, Kind::Value(step.part, edge)));
            }
            _ => {}
        }
    }
    if failure.property.kind == FailureKind::WrongOutput {
        for (at, &edge) in trace.path.iter().enumerate() {
            let site = program.edge(edge).site;
            if is_own(site) && is_print(program, edge) {
                found.push((at, 0, site, Kind::Print(edge)));
            }
        }
    }
    found.sort_by_key(|&(at, step, ..)| (at, step));
    let mut places: Vec<Place> = Vec::new();
    let mut numbers: FxHashMap<(SiteId, Kind), usize> = FxHashMap::default();
    for (at, step, site, kind) in found.into_iter().rev() {
        let number = *numbers.entry((site, kind)).or_insert(places.len());
        if number == places.len() {
            places.push(Place { site, kind, executions: Vec::new() });
        }
        let executions = &mut places[number].executions;
        if executions.last().is_none_or(|last| last.0 != at) {
            executions.push((at, step));
        }
    }
    places
}

/// Whether an edge could be another one that does not fail.
fn is_decision(program: &Program, taken: EdgeId) -> bool {
    let from = program.edge(taken).from;
    let is_condition = matches!(program.edge(taken).statement, Statement::Assume { .. });
    let (mut count, mut fails) = (0, false);
    for (_, edge) in program.out_edges(from) {
        count += 1;
        fails |= edge.to == Program::ERROR;
    }
    is_condition && count > 1 && !fails
}

fn is_print(program: &Program, edge: EdgeId) -> bool {
    match &program.edge(edge).statement {
        Statement::External { function, .. } => {
            program.externals.get(function.index()).is_some_and(|external| prints(&external.name))
        }
        _ => false,
    }
}
