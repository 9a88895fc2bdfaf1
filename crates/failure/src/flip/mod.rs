//! What if a decision had been another?
//!
//! A *decision* is an edge of the failing run with a condition, where the program could also have gone
//! another way; the way to the error location is none. To see what depends on it, the failing run is
//! repeated up to the decision, made to take another edge whatever the condition says, and run on. If
//! there are several other edges, each is tried, and one that makes a difference is enough.
//!
//! *How far.* After a while the ways meet again: at the closest post-dominator of the decision, in the
//! same activation. If there is none, because ways return separately, they meet when the activation
//! returns; the return is still taken, so that what it returns can be compared. What lies between is
//! the *region* of the decision. If the same decision is made again there, as that of a loop is, then it
//! is made as the program says.
//!
//! *What is compared.* Both ways are run and watched by the same code, from behind the decision to
//! where they meet.
//! - A [`Watch::Variable`] is read where they meet, or just before the return. It must be there at the
//!   decision already: a global, a variable of an activation that has not returned, a cell of a living
//!   object.
//! - A [`Watch::Step`] stands for its edge, or for the results of its call. All executions in the region
//!   count, in whatever activation. What is compared is the argument or result that the step is about, or
//!   else everything that the edge does.
//!
//! Objects that are made on the way have other addresses if other objects were made before. So of an
//! address in one of them, only the offset is compared.
//!
//! *Ends.* A way may fail or exit before it meets the other one.
//! - The failing run comes to where they meet and the other way does not: that differs, whatever is
//!   watched, because nothing that follows is executed.
//! - The failing run does not come there: its failure is in the region. Then what it did and what the
//!   variables were up to the failure is compared with the other way, up to where that would have met
//!   the first one, or to its own end. So the failing step differs unless the other way fails just as well. A step
//!   that is only executed more often because the failure did not stop it differs, too.
//! - The program excludes the other way (an assumption does not hold), or it takes too long: that is
//!   unclear. It may take four times as long as the failing run did, and a little more.
//!
//! What the program asks for on the other way is answered as in the failing run, in the same order. Where it
//! asks for other things, a difference may come from the answers and not from the decision: one run is
//! looked at, not all.

mod machine;
mod watcher;

pub(crate) use self::watcher::{Stack, Until, Watched, Watcher, digest};

use program::graph::dominators::{Dominators, post_dominators};
use program::graph::{Checks, Flow};
use program::{EdgeId, LocationId, ProcedureId, Program, Statement};
use rustc_hash::FxHashMap;
use term::Term;

use crate::replay::Failure;
use crate::trace::{Action, Part, Trace};

/// A question: what if the decision at this index of the path had been another?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip {
    pub at: usize,
    pub watch: Watch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Has this variable of the trace another value where the ways meet again?
    Variable(Term),
    /// Is this step, which is executed before the ways meet again, executed as often and with the same
    /// values?
    Step(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flipped {
    /// It is not as in the failing run.
    Differs,
    Same,
    /// It cannot be said: limits, the decision cannot be another, what is watched is not there.
    Unclear,
}

impl Failure<'_> {
    /// Answers each question by running.
    pub fn flipped(&self, flips: &[Flip]) -> Vec<Flipped> {
        match &self.run {
            None => machine::flipped(self.program, &self.trace, &self.inputs, flips),
            Some(run) => run.flipped(&self.trace, flips),
        }
    }
}

/// An execution of the program that can be made to decide otherwise.
pub(crate) trait Way: Clone {
    /// Runs along the failing run until it is about to take this edge of the path. False if it does not
    /// come there.
    fn forward(&mut self, at: usize) -> bool;

    /// Takes this edge from where it is, whatever the condition says. False if it cannot.
    fn take(&mut self, edge: EdgeId) -> bool;

    /// The activations now.
    fn stack(&self) -> &Stack;

    /// Runs until it comes to the location, or the return, in the innermost activation; or as far as the
    /// failing run may go, or so many instructions.
    fn run(&mut self, meeting: Option<LocationId>, watched: &[Watched], most: Option<u64>) -> Seen;

    /// What a copy of it takes, in instructions.
    fn weight(&self) -> u64;
}

/// What was seen on a way.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub end: End,
    /// How many edges were taken.
    pub steps: usize,
    /// A digest of what was watched; none if it is not there.
    pub digests: Vec<Option<u64>>,
    /// How many instructions it took.
    pub effort: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Where the ways meet.
    Met,
    /// It failed or exited before.
    Ended,
    /// The program excludes it, or it took too long.
    Unknown,
}

/// How long the other ways may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// For all questions together.
    pub total: u64,
    /// For each other way, besides four times the length of the one that was taken.
    pub slack: u64,
}

/// Answers each question. The questions about one decision share their runs.
pub(crate) fn ask<W: Way>(
    program: &Program,
    trace: &Trace,
    flips: &[Flip],
    mut way: W,
    mut budget: Budget,
) -> Vec<Flipped> {
    let mut answers = vec![Flipped::Unclear; flips.len()];
    let mut order: Vec<usize> = (0..flips.len()).collect();
    order.sort_by_key(|&question| flips[question].at);
    let mut meetings = Meetings { program, procedures: FxHashMap::default() };
    for group in order.chunk_by(|&a, &b| flips[a].at == flips[b].at) {
        let at = group.first().map_or(0, |&question| flips[question].at);
        let Some(&taken) = trace.path.get(at) else { break };
        let others = others(program, taken);
        if others.is_empty() {
            continue;
        }
        if budget.total == 0 || !way.forward(at) {
            break;
        }
        let watches: Vec<Watch> = group.iter().map(|&question| flips[question].watch).collect();
        let watched: Vec<Watched> =
            watches.iter().map(|watch| watched(program, trace, way.stack(), watch)).collect();
        let meeting = meetings.of(program.edge(taken).from);
        let mut run = |edge: EdgeId, most: Option<u64>| {
            let mut way = way.clone();
            let most = most.map(|most| most.min(budget.total));
            let seen = way.take(edge).then(|| way.run(meeting, &watched, most))?;
            budget.total = budget.total.saturating_sub(seen.effort + way.weight());
            Some(seen)
        };
        let Some(mut seen) = run(taken, None) else { continue };
        for (watch, digest) in watches.iter().zip(&mut seen.digests) {
            if !is_within(trace, at, seen.steps, watch) {
                *digest = None;
            }
        }
        let most = Some(seen.effort.saturating_mul(4).saturating_add(budget.slack));
        let others: Vec<Option<Seen>> = others.into_iter().map(|edge| run(edge, most)).collect();
        for (number, &question) in group.iter().enumerate() {
            answers[question] = answer(&seen, &others, number);
        }
    }
    answers
}

/// The other edges that could have been taken; none if the edge is no decision.
fn others(program: &Program, taken: EdgeId) -> Vec<EdgeId> {
    let edge = program.edge(taken);
    if !matches!(edge.statement, Statement::Assume { .. }) || edge.to == Program::ERROR {
        return Vec::new();
    }
    let others = program.out_edges(edge.from).filter(|(_, edge)| edge.to != Program::ERROR);
    others.map(|(other, _)| other).filter(|&other| other != taken).collect()
}

/// Whether the step is in the region that has so many edges behind the decision.
fn is_within(trace: &Trace, at: usize, edges: usize, watch: &Watch) -> bool {
    match *watch {
        Watch::Variable(_) => true,
        Watch::Step(step) => trace.steps.get(step).is_some_and(|step| {
            let step = step.at as usize;
            at < step && step <= at + edges
        }),
    }
}

/// What is to be watched, in terms of the program.
fn watched(program: &Program, trace: &Trace, stack: &Stack, watch: &Watch) -> Watched {
    match *watch {
        Watch::Variable(variable) => {
            if let Some(&object) = trace.cells.get(&variable) {
                let object = trace.objects.get(object as usize);
                let cell = object.and_then(|object| Some((object, object.cell(variable)?)));
                return cell.map_or(Watched::Nothing, |(object, cell)| Watched::Cell {
                    address: object.address.wrapping_add(cell.offset),
                    size: cell.size,
                });
            }
            let (activation, own) = trace.origin(variable);
            match stack.position(activation) {
                Some(frame) if program.variables.contains_key(&own) => {
                    Watched::Variable { frame, variable: own }
                }
                // Its activation has not begun, or only the trace has it.
                _ => Watched::Nothing,
            }
        }
        Watch::Step(step) => {
            let Some(step) = trace.steps.get(step) else { return Watched::Nothing };
            let Some(&edge) = trace.path.get(step.at as usize) else { return Watched::Nothing };
            let value = match step.part {
                Part::Argument(number) | Part::Result(number) => Some(number),
                _ => None,
            };
            match (&program.edge(edge).statement, &step.action) {
                // Another return of the same procedure gives a result as well.
                (Statement::Return, Action::Assign { .. }) => {
                    Watched::Results { call: step.site, value }
                }
                _ => Watched::Edge { edge, value },
            }
        }
    }
}

/// What the other ways say about the watch of this number.
fn answer(taken: &Seen, others: &[Option<Seen>], number: usize) -> Flipped {
    let digest = taken.digests.get(number).copied().flatten();
    let mut answer = Flipped::Same;
    for other in others {
        let clear = other.as_ref().filter(|other| other.end != End::Unknown);
        match (digest, clear) {
            (Some(_), Some(_)) if taken.end == End::Unknown => answer = Flipped::Unclear,
            (Some(_), Some(other)) if (taken.end, other.end) == (End::Met, End::Ended) => {
                return Flipped::Differs;
            }
            (Some(digest), Some(other)) => {
                if other.digests.get(number).copied().flatten() != Some(digest) {
                    return Flipped::Differs;
                }
            }
            _ => answer = Flipped::Unclear,
        }
    }
    answer
}

/// Where the ways from a location meet again, computed once for each procedure.
struct Meetings<'p> {
    program: &'p Program,
    procedures: FxHashMap<ProcedureId, (Flow, Dominators)>,
}

impl Meetings<'_> {
    /// The closest post-dominator; none if it is the end of the procedure.
    fn of(&mut self, location: LocationId) -> Option<LocationId> {
        let procedure = self.program.location(location).procedure?;
        let (flow, post) = self.procedures.entry(procedure).or_insert_with(|| {
            let flow = Flow::new(self.program, procedure, Checks::GoOn);
            let post = post_dominators(&flow.graph, flow.entry);
            (flow, post)
        });
        let meeting = post.immediate(flow.node(location)?)?;
        let inside = meeting != flow.exit && (meeting as usize) < flow.graph.len();
        inside.then(|| flow.location(meeting))
    }
}
