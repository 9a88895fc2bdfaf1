//! A run upon which something is forced, and where such a run may begin.
//!
//! Hundreds of runs differ from a failing one in what is forced upon them. Up to the first change each of them is the failing
//! run; often that is most of it. So they begin where another run has been before its first change.

use std::cell::RefCell;
use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

use program::process::{
    Detail, Effect, ExternalCall, Fault, Host, Limits, Nature, Objects, Observer, Outcome, Process,
    Recorder, Response, Scalar,
};
use program::{EdgeId, ExternalId, FailureKind, ProcedureId, Program, Stop};
use rustc_hash::{FxHashMap, FxHasher};

use super::job::scalar;
use super::printed::{Printed, is_told};
use crate::cells::bytes_of_value;
use crate::rerun::{Force, Forced, Home};

/// The most words of a record: 32 MiB.
const MOST_WORDS: usize = 1 << 22;

/// How many bytes the starts of repeated runs may take.
const MOST_BYTES: u64 = 64 << 20;

/// Where runs may begin that differ from a failing one.
pub(super) struct Starts<'p, W> {
    pub first: (Process<'p>, W),
    /// The failing run at later steps, in order.
    later: RefCell<Vec<Running<'p, W>>>,
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

    /// A run that has not come to what is forced.
    pub fn before(&self, forced: &[Forced], limits: Limits) -> Running<'p, W> {
        let mut later = self.later.borrow_mut();
        let fits = |run: &Running<'p, W>| {
            run.forcing.is_before(forced) && run.process.instructions() <= limits.instructions
        };
        let count = later.partition_point(fits);
        let last = || match count.checked_sub(1) {
            Some(last) => later[last].clone(),
            None => Running::new(&self.first),
        };
        let mut run = last();
        let first = forced.iter().map(|forced| forced.at).min();
        if let Some(first) = first.filter(|&first| run.forcing.steps < first) {
            if run.until(first, limits).is_break() || !fits(&run) {
                run = last();
            } else if later.iter().map(Running::bytes).sum::<u64>() + run.bytes() < MOST_BYTES {
                later.insert(count, run.clone());
            }
        }
        run.forcing.force(forced);
        run
    }
}

/// A run under way.
#[derive(Clone)]
pub(super) struct Running<'p, W> {
    pub process: Process<'p>,
    pub world: Listening<W>,
    pub forcing: Forcing,
}

impl<'p, W: Host + Clone> Running<'p, W> {
    fn new((process, world): &(Process<'p>, W)) -> Running<'p, W> {
        let mut world = world.clone();
        world.watch_output();
        let world = Listening { world, printed: Vec::new(), pinned: Vec::new() };
        let forcing = Forcing {
            recorder: Recorder::within(process.calls(), MOST_WORDS),
            values: FxHashMap::default(),
            assigned: Vec::new(),
            course: FxHasher::default(),
            steps: 0,
            last: None,
            pause: None,
        };
        Running { process: process.clone(), world, forcing }
    }

    pub fn go_on(&mut self, limits: Limits) -> Outcome {
        self.process.run(&mut self.world, &mut self.forcing, limits, &Stop::default())
    }

    /// Goes on until it is about to take the step with this number: the edge; or to its end. Where it cannot decide because a
    /// value was never set, it is about to.
    pub fn until(&mut self, step: usize, limits: Limits) -> ControlFlow<Outcome, EdgeId> {
        self.forcing.pause = Some(step);
        let outcome = self.go_on(limits);
        self.forcing.pause = None;
        let is_there = self.forcing.steps == step;
        // Otherwise the failure is in a step that it has taken.
        let is_new = |edge: EdgeId| self.forcing.last != Some(edge);
        match outcome {
            Outcome::Blocked { edge } if is_there => ControlFlow::Continue(edge),
            Outcome::Failed {
                edge,
                fault: Fault { kind: FailureKind::Uninitialised, detail: Detail::None },
            } if is_there && is_new(edge) => ControlFlow::Continue(edge),
            outcome => ControlFlow::Break(outcome),
        }
    }

    /// Goes on until what is forced has happened. How it ended, if it did before. Values are forced while it runs.
    pub fn force(&mut self, program: &Program, forced: &Forced, limits: Limits) -> Option<Outcome> {
        if let Force::Value { .. } = forced.what {
            return None;
        }
        let next = match self.until(forced.at, limits) {
            ControlFlow::Continue(next) => next,
            ControlFlow::Break(outcome) => return Some(outcome),
        };
        match &forced.what {
            Force::Edge(edge) => {
                let to = program.edge(*edge);
                // Otherwise what was forced before has led elsewhere.
                if program.edge(next).from == to.from {
                    self.forcing.step(*edge);
                    self.process.go_to(to.to);
                }
            }
            Force::Output => {
                self.world.accept_output(true);
                let paused = self.until(forced.at + 1, limits);
                self.world.accept_output(false);
                return paused.break_value();
            }
            Force::Set { home: Home::Variable(variable), value } => {
                let bits = program.terms.sort(*variable).bits();
                self.process.set(*variable, bits, scalar(value));
            }
            Force::Set { home: Home::Address(address), value } => {
                // What is not there, or may not be written, stays as it is.
                let _ = self.process.memory_mut().write(*address, &bytes_of_value(value));
            }
            Force::Value { .. } => {}
        }
        if let Force::Set { .. } = forced.what {
            // It may have decided already where to go.
            self.process.go_to(program.edge(next).from);
        }
        None
    }

    /// About how many bytes it takes.
    fn bytes(&self) -> u64 {
        let words = self.forcing.recorder.log().len() + 2 * self.forcing.assigned.len();
        self.process.memory().live() + 8 * words as u64
    }
}

/// Records a run, and forces values upon it.
#[derive(Clone)]
pub(super) struct Forcing {
    pub recorder: Recorder,
    /// What is forced, by the number of the value.
    values: FxHashMap<u32, Scalar>,
    /// All values, in order.
    pub assigned: Vec<u128>,
    /// What tells apart runs that do not do the same, whatever the values are.
    pub course: FxHasher,
    /// How many steps there were.
    pub steps: usize,
    /// The last of them.
    last: Option<EdgeId>,
    /// It pauses before the step with this number.
    pause: Option<usize>,
}

impl Forcing {
    fn force(&mut self, forced: &[Forced]) {
        self.values.extend(forced.iter().filter_map(|forced| match &forced.what {
            Force::Value { number, value } => Some((*number, scalar(value))),
            _ => None,
        }));
    }

    /// Whether all that is forced is still to come.
    fn is_before(&self, forced: &[Forced]) -> bool {
        forced.iter().all(|forced| {
            let number = match forced.what {
                Force::Value { number, .. } => number as usize,
                _ => usize::MAX,
            };
            self.steps <= forced.at && self.assigned.len() <= number
        })
    }
}

impl Observer for Forcing {
    const ACTIVE: bool = true;

    fn step(&mut self, edge: EdgeId) -> bool {
        if self.pause == Some(self.steps) {
            return false;
        }
        self.steps += 1;
        self.last = Some(edge);
        edge.hash(&mut self.course);
        self.recorder.step(edge)
    }

    fn value(&mut self, value: Scalar, bits: u32) -> Scalar {
        let number = self.assigned.len() as u32;
        let value = self.values.get(&number).copied().unwrap_or(value);
        self.assigned.push(value.bits);
        if value.undefined != 0 {
            (number, value.undefined).hash(&mut self.course);
        }
        self.recorder.value(value, bits)
    }

    fn access(&mut self, address: u64, size: u64) -> bool {
        (address, size).hash(&mut self.course);
        self.recorder.access(address, size)
    }

    fn procedure(&mut self, procedure: ProcedureId) -> bool {
        procedure.hash(&mut self.course);
        self.recorder.procedure(procedure)
    }

    fn external(&mut self, function: ExternalId) -> bool {
        self.recorder.external(function)
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Read { address, bytes } => (0, address, bytes).hash(&mut self.course),
            Effect::Write { address, bytes } => (1, address, bytes).hash(&mut self.course),
            Effect::New { address, size } => (2, address, size).hash(&mut self.course),
            Effect::Freed { address } => (3, address).hash(&mut self.course),
        }
        self.recorder.effect(effect);
    }

    fn nature(&mut self, nature: Nature) {
        std::mem::discriminant(&nature).hash(&mut self.course);
        self.recorder.nature(nature);
    }
}

/// A world, and which calls printed something that was compared.
#[derive(Clone)]
pub(super) struct Listening<W> {
    pub world: W,
    pub printed: Vec<Option<Printed>>,
    /// The arguments of a call that failed, if it is not known with which others it would.
    pub pinned: Vec<u128>,
}

impl<W: Host> Host for Listening<W> {
    fn call(&mut self, call: ExternalCall<'_>, memory: &mut Objects) -> Result<Response, Fault> {
        let response = self.world.call(call, memory);
        if let Err(fault) = &response
            && !is_told(fault)
        {
            self.pinned = call.arguments.iter().map(|argument| argument.bits).collect();
        }
        self.printed.push(self.world.right().map(|right| Printed::new(right, call.arguments)));
        response
    }

    fn asks(&self, name: &str) -> bool {
        self.world.asks(name)
    }

    fn compared(&self) -> u64 {
        self.world.compared()
    }

    fn accept_output(&mut self, whatever: bool) {
        self.world.accept_output(whatever);
    }

    fn finish(&mut self, status: i32) -> Result<(), Fault> {
        self.world.finish(status)
    }
}
