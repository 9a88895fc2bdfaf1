//! Runs of programs with memory, repeated with changes: see [`crate::rerun`].

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use program::process::{
    Detail, Effect, Event, ExternalCall, Fault, Host, Limits, Log, Nature, Objects, Observer,
    Outcome, Process, Recorder, Response, Scalar,
};
use program::{EdgeId, ExternalId, ProcedureId, Program, Stop};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use term::{Sort, Term, Terms};

use super::job::{Job, Record, finished, scalar};
use super::settled::settled;
use super::{Basis, InputMode, unfold_into};
use crate::cells::value_of_bits;
use crate::rerun::{Courses, Ended, Force, Forced, Reached, Rerun};

/// The most words of a record: 32 MiB.
const MOST_WORDS: usize = 1 << 22;

pub(super) fn rerun<W: Host + Clone>(
    job: &Job<'_>,
    start: &(Process<'_>, W),
    forced: &[Forced],
    most: u64,
    terms: &mut Terms,
    courses: &mut Courses,
    used: &Rc<FxHashSet<Term>>,
) -> Rerun {
    let (mut process, world) = start.clone();
    let skipped = process.instructions();
    let mut world = Listening { world, printed: Vec::new(), accepting: false };
    let mut forcing = Forcing::new(&process, forced);
    let instructions = skipped.saturating_add(most).min(job.limits.instructions);
    let limits = Limits { instructions, ..job.limits };
    let run = |process: &mut Process<'_>, world: &mut Listening<W>, forcing: &mut Forcing| {
        process.run(world, forcing, limits, &Stop::default())
    };
    let mut ended = None;
    for forced in forced {
        if let Force::Value { .. } = forced.what {
            continue;
        }
        forcing.pause = Some(forced.at);
        let outcome = run(&mut process, &mut world, &mut forcing);
        if !forcing.is_paused(&outcome) {
            ended = Some(outcome);
            break;
        }
        forcing.pause = None;
        match &forced.what {
            // What was forced before has led elsewhere.
            Force::Edge(edge) if !is_before(job.program, &outcome, *edge) => {}
            Force::Edge(edge) => {
                forcing.step(*edge);
                process.go_to(job.program.edge(*edge).to);
            }
            Force::Output => {
                world.accept_output(true);
                forcing.pause = Some(forced.at + 1);
                let outcome = run(&mut process, &mut world, &mut forcing);
                world.accept_output(false);
                if !forcing.is_paused(&outcome) {
                    ended = Some(outcome);
                    break;
                }
                forcing.pause = None;
            }
            Force::Set { variable, value } => {
                let bits = match job.program.terms.sort(*variable) {
                    Sort::BitVec(width) => *width,
                    Sort::Float(format) => format.width(),
                    _ => 1,
                };
                process.set(*variable, bits, scalar(value));
            }
            Force::Value { .. } => {}
        }
    }
    let mut reached = None;
    if let (None, Some(last)) = (&ended, forced.last()) {
        forcing.pause = Some(last.at + 1);
        let outcome = run(&mut process, &mut world, &mut forcing);
        match forcing.is_paused(&outcome) {
            true => reached = Reached::by(&process, &world.world, skipped),
            false => ended = Some(outcome),
        }
        forcing.pause = None;
    }
    let outcome = ended.unwrap_or_else(|| run(&mut process, &mut world, &mut forcing));
    let outcome = finished(outcome, &process, &mut world);
    let effort = process.instructions() - skipped;
    let end = match &outcome {
        Outcome::Finished { .. } => Ended::Passed,
        Outcome::Failed { fault, .. } => {
            let output = match &fault.detail {
                Detail::Output(wrong) => wrong.position,
                _ => world.compared(),
            };
            Ended::Failed { kind: fault.kind, output }
        }
        Outcome::Blocked { .. } => Ended::Blocked,
        Outcome::StepLimit { .. } | Outcome::Stopped => Ended::Cut,
    };
    let log = match end {
        Ended::Passed => None,
        _ => forcing.recorder.finish(),
    };
    let Some(log) = log else {
        return Rerun { end, effort, unfolded: None, changed: Vec::new(), reached };
    };
    let (course, assigned) = course(job.program, &log, &outcome, &world.printed);
    let value = |number: u32, sort: &Sort| {
        value_of_bits(sort, assigned.get(number as usize).copied().unwrap_or(0))
    };
    let (unfolded, changed) = courses.unfolded(course, terms, &value, |terms, copies| {
        let printed = world.printed;
        let record = Record {
            outcome,
            log,
            start: start.clone(),
            end: (process, world.world),
            skipped,
            tail: None,
            expected_status: job.expected_status,
        };
        let settled = settled(job.program, &record.log, &mut copies.settling);
        let basis = Basis { terms, copies, used, settled, forced };
        unfold_into(job.program, &record, job.entry, InputMode::Fixed, &printed, basis)
    });
    Rerun { end, effort, unfolded: Some(unfolded), changed, reached }
}

impl Reached {
    fn by<W: Host>(process: &Process<'_>, world: &W, skipped: u64) -> Option<Reached> {
        let mut hasher = DefaultHasher::new();
        (process.fingerprint(), world.fingerprint()?).hash(&mut hasher);
        Some(Reached { state: hasher.finish(), effort: process.instructions() - skipped })
    }
}

/// What tells apart runs that do not do the same, whatever the values are; and these, in their order.
fn course(program: &Program, log: &Log, outcome: &Outcome, printed: &[bool]) -> (u64, Vec<u128>) {
    let mut hasher = FxHasher::default();
    let mut values = Vec::new();
    for event in log.events(program) {
        match event {
            Event::Value(value) => {
                values.push(value.bits);
                value.undefined.hash(&mut hasher);
            }
            Event::Step(edge) => edge.hash(&mut hasher),
            Event::Access { address, size } => (address, size).hash(&mut hasher),
            Event::Procedure(procedure) => procedure.hash(&mut hasher),
            Event::Effect(effect) => match effect {
                Effect::Read { address, bytes } => (0, address, bytes).hash(&mut hasher),
                Effect::Write { address, bytes } => (1, address, bytes).hash(&mut hasher),
                Effect::New { address, size } => (2, address, size).hash(&mut hasher),
                Effect::Freed { address } => (3, address).hash(&mut hasher),
            },
            Event::Nature(nature) => std::mem::discriminant(&nature).hash(&mut hasher),
        }
    }
    printed.hash(&mut hasher);
    if let Outcome::Failed { edge, fault } = outcome {
        (edge, fault.kind.name()).hash(&mut hasher);
        if let Detail::Output(wrong) = &fault.detail {
            let expected = wrong.expected.map(|value| value.bits);
            (wrong.argument, expected, wrong.byte, wrong.position).hash(&mut hasher);
        }
    }
    (hasher.finish(), values)
}

/// Whether a process that paused could take this edge.
fn is_before(program: &Program, paused: &Outcome, edge: EdgeId) -> bool {
    match paused {
        Outcome::Blocked { edge: next } => program.edge(*next).from == program.edge(edge).from,
        _ => false,
    }
}

/// Records a run, and forces values upon it.
struct Forcing {
    recorder: Recorder,
    values: FxHashMap<u32, Scalar>,
    next: u32,
    steps: usize,
    /// It pauses before the step with this number.
    pause: Option<usize>,
}

impl Forcing {
    fn new(process: &Process<'_>, forced: &[Forced]) -> Forcing {
        let values = forced.iter().filter_map(|forced| match &forced.what {
            Force::Value { number, value } => Some((*number, scalar(value))),
            _ => None,
        });
        Forcing {
            recorder: Recorder::within(process.calls(), MOST_WORDS),
            values: values.collect(),
            next: 0,
            steps: 0,
            pause: None,
        }
    }

    fn is_paused(&self, outcome: &Outcome) -> bool {
        matches!(outcome, Outcome::Blocked { .. }) && self.pause == Some(self.steps)
    }
}

impl Observer for Forcing {
    const ACTIVE: bool = true;

    fn step(&mut self, edge: EdgeId) -> bool {
        if self.pause == Some(self.steps) {
            return false;
        }
        self.steps += 1;
        self.recorder.step(edge)
    }

    fn value(&mut self, value: Scalar, bits: u32) -> Scalar {
        let number = self.next;
        self.next += 1;
        let value = self.values.get(&number).copied().unwrap_or(value);
        self.recorder.value(value, bits)
    }

    fn access(&mut self, address: u64, size: u64) -> bool {
        self.recorder.access(address, size)
    }

    fn procedure(&mut self, procedure: ProcedureId) -> bool {
        self.recorder.procedure(procedure)
    }

    fn external(&mut self, function: ExternalId) -> bool {
        self.recorder.external(function)
    }

    fn effect(&mut self, effect: &Effect) {
        self.recorder.effect(effect);
    }

    fn nature(&mut self, nature: Nature) {
        self.recorder.nature(nature);
    }
}

/// A world, and which calls printed something that was compared.
struct Listening<W> {
    world: W,
    printed: Vec<bool>,
    accepting: bool,
}

impl<W: Host> Host for Listening<W> {
    fn call(&mut self, call: ExternalCall<'_>, memory: &mut Objects) -> Result<Response, Fault> {
        let before = self.world.compared();
        let response = self.world.call(call, memory);
        self.printed.push(self.world.compared() != before && !self.accepting);
        response
    }

    fn asks(&self, name: &str) -> bool {
        self.world.asks(name)
    }

    fn compared(&self) -> u64 {
        self.world.compared()
    }

    fn accept_output(&mut self, whatever: bool) {
        self.accepting = whatever;
        self.world.accept_output(whatever);
    }

    fn finish(&mut self, status: i32) -> Result<(), Fault> {
        self.world.finish(status)
    }
}
