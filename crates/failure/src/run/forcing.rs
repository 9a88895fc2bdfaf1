//! Runs of programs with memory, repeated with something forced upon them: see [`crate::rerun`].
//!
//! Hundreds of runs differ from a failing one in what is forced upon them. Up to the first change each of them is the failing
//! run; often that is most of it. So they begin where the failing run has been before.

use std::cell::RefCell;
use std::fmt;

use program::process::{Detail, Fault, Host, Limits, Nothing, Observer, Outcome, Process, Scalar};
use program::{EdgeId, FailureKind, Program, Stop};

use super::job::{Job, finished, scalar};
use crate::rerun::{Ended, Forcing, Rerun, Rule};

/// So many places are kept at which runs may begin, at least so many steps apart, if they take no more bytes together.
const MOST_PLACES: usize = 8;
const LEAST_DISTANCE: usize = 200;
const MOST_BYTES: u64 = 16 << 20;

/// Where runs may begin that differ from a failing one.
pub(super) struct Starts<'p, W> {
    pub first: (Process<'p>, W),
    /// The failing run at later steps, in order.
    later: RefCell<Vec<Place<'p, W>>>,
}

#[derive(Clone)]
struct Place<'p, W> {
    process: Process<'p>,
    world: W,
    forcing: Forcing<'static>,
}

impl<W> fmt::Debug for Starts<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Starts").finish_non_exhaustive()
    }
}

impl<'p, W: Host + Clone> Starts<'p, W> {
    pub fn new(first: (Process<'p>, W)) -> Starts<'p, W> {
        Starts { first, later: RefCell::default() }
    }

    /// The failing run, which has `length` steps, where it has not come to this one.
    fn before(&self, job: &Job<'p>, step: usize, length: usize) -> Place<'p, W> {
        let distance = (length / MOST_PLACES).max(LEAST_DISTANCE);
        let wanted = step.min(length) / distance * distance;
        let mut later = self.later.borrow_mut();
        let count = later.partition_point(|place| place.forcing.steps <= wanted);
        let mut place = match count.checked_sub(1) {
            Some(last) => later[last].clone(),
            None => {
                let (process, world) = self.first.clone();
                Place { process, world, forcing: Forcing::new() }
            }
        };
        if place.forcing.steps == wanted {
            return place;
        }
        let mut watch = Watch::new(job.program, place.forcing.clone(), wanted);
        let _ = place.process.run(&mut place.world, &mut watch, job.limits, &Stop::default());
        place.forcing = watch.forcing;
        let taken: u64 = later.iter().map(|place| place.process.memory().live()).sum();
        if place.forcing.steps == wanted && taken + place.process.memory().live() < MOST_BYTES {
            later.insert(count, place.clone());
        }
        place
    }
}

/// What is to happen before the process takes an edge.
enum Due {
    /// Another edge is taken instead.
    Instead(EdgeId),
    /// What the edge prints is right.
    Printing,
    /// So was what the last one has printed.
    Printed,
}

/// Halts a process where something is due.
struct Watch<'p, 'r> {
    program: &'p Program,
    forcing: Forcing<'r>,
    /// It halts before this step.
    until: usize,
    due: Option<Due>,
    /// What was due before the next edge has happened.
    passing: bool,
    /// Whatever the last edge prints is right.
    accepting: bool,
}

impl<'p, 'r> Watch<'p, 'r> {
    fn new(program: &'p Program, forcing: Forcing<'r>, until: usize) -> Watch<'p, 'r> {
        Watch { program, forcing, until, due: None, passing: false, accepting: false }
    }

    fn due_before(&self, edge: EdgeId) -> Option<Due> {
        if self.passing {
            return None;
        }
        if self.accepting {
            return Some(Due::Printed);
        }
        let location = self.program.edge(edge).from;
        match self.forcing.edge_instead(location, Some(edge)) {
            Some(other) => Some(Due::Instead(other)),
            None => self.forcing.is_output_right(edge).then_some(Due::Printing),
        }
    }
}

impl Observer for Watch<'_, '_> {
    const ACTIVE: bool = true;

    fn step(&mut self, edge: EdgeId) -> bool {
        if self.forcing.steps == self.until {
            return false;
        }
        self.due = self.due_before(edge);
        if self.due.is_some() {
            return false;
        }
        self.passing = false;
        self.forcing.take(edge, self.accepting);
        true
    }

    fn value(&mut self, value: Scalar, _: u32) -> Scalar {
        match self.forcing.value_instead().map(scalar) {
            Some(other) if other != value => {
                self.forcing.count();
                other
            }
            _ => value,
        }
    }
}

/// Runs the program with what the rules say. The failing run has `length` steps.
pub(super) fn rerun<'p, W: Host + Clone>(
    job: &Job<'p>,
    starts: &Starts<'p, W>,
    rules: &[Rule],
    length: usize,
    most: u64,
) -> Rerun {
    let limits = Limits { instructions: most.min(job.limits.instructions), ..job.limits };
    let Place { mut process, mut world, forcing } =
        starts.before(job, Forcing::first(rules), length);
    let before = process.instructions();
    let mut watch = Watch::new(job.program, forcing.with(rules), usize::MAX);
    let outcome = loop {
        let outcome = process.run(&mut world, &mut watch, limits, &Stop::default());
        let due = watch.due.take();
        watch.accepting = matches!(due, Some(Due::Printing));
        watch.passing = watch.accepting;
        world.accept_output(watch.accepting);
        let instead = match due {
            Some(Due::Printing | Due::Printed) => continue,
            Some(Due::Instead(edge)) => Some(edge),
            None => undecided(&outcome, &watch),
        };
        let Some(edge) = instead else { break outcome };
        watch.forcing.take(edge, true);
        process.go_to(job.program.edge(edge).to);
    };
    let end = match finished(outcome, &process, &mut world) {
        Outcome::Finished { .. } => Ended::Passed,
        Outcome::Failed { fault, .. } => Ended::Failed(fault.kind),
        Outcome::Blocked { .. } => Ended::Blocked,
        Outcome::StepLimit { .. } | Outcome::Stopped => Ended::Cut,
    };
    watch.forcing.rerun(end, process.instructions() - before)
}

/// The edge that is forced upon a run that cannot decide, because a value was never set.
fn undecided(outcome: &Outcome, watch: &Watch<'_, '_>) -> Option<EdgeId> {
    let never_set = |fault: &Fault| {
        fault.kind == FailureKind::Uninitialised && matches!(fault.detail, Detail::None)
    };
    let forcing = &watch.forcing;
    match outcome {
        // Otherwise the failure is in an edge that it has taken.
        Outcome::Failed { edge, fault } if never_set(fault) && forcing.last != Some(*edge) => {
            forcing.edge_instead(watch.program.edge(*edge).from, None)
        }
        _ => None,
    }
}

/// How many instructions a run has if whatever it prints is right, and they are not more.
pub(super) fn length<W: Host + Clone>(
    job: &Job<'_>,
    starts: &Starts<'_, W>,
    most: u64,
) -> Option<u64> {
    let (mut process, mut world) = starts.first.clone();
    let limits = Limits { instructions: most.min(job.limits.instructions), ..job.limits };
    world.accept_output(true);
    let outcome = process.run(&mut world, &mut Nothing, limits, &Stop::default());
    matches!(outcome, Outcome::Finished { .. }).then(|| process.instructions())
}
