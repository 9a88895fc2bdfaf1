//! Running a program until it fails, and running it again.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use program::process::{
    Detail, Event, Fault, Follower, Host, Image, Limits, Log, Nothing, Observer, Origin, Outcome,
    Process, Recorder, Scalar,
};
use program::{EdgeId, FailureKind, Memory, ProcedureId, Program, SiteId, Statement, Stop};
use rustc_hash::FxHashSet;
use term::{Term, Value};

use super::after::run_on;
use super::describe::describe;
use super::fail::is_same_failure;
use super::forcing::{self, Starts};
use super::slice::{Kept, slice};
use super::{InputMode, flip, unfold};
use crate::cells::value_of_bits;
use crate::flip::{Flip, Flipped};
use crate::replay::{After, Change, Failure, Repeat, Replay};
use crate::rerun::{Rerun, Rule};
use crate::trace::Trace;

/// A program, and what determines a run of it besides the world around it.
#[derive(Clone, Copy)]
pub struct Job<'p> {
    pub program: &'p Program,
    pub image: &'p Image,
    pub entry: ProcedureId,
    pub arguments: &'p [Vec<u8>],
    pub environment: &'p [Vec<u8>],
    /// What it should return, if that is known.
    pub expected_status: Option<i32>,
    pub limits: Limits,
    pub extent: Extent,
}

/// How much of a run becomes a trace, in instructions.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Runs of so many do as a whole.
    pub whole: u64,
    /// Of a longer run, so many at its end do; of those before, what the failure depends on.
    pub end: u64,
    /// So many are recorded; if the failure depends on too much of that, less.
    pub recorded: [u64; 3],
    /// How many steps before the end may be kept.
    pub kept: usize,
}

impl Default for Extent {
    fn default() -> Extent {
        Extent {
            whole: 2_000_000,
            end: 300_000,
            recorded: [50_000_000, 12_000_000, 3_000_000],
            kept: 200_000,
        }
    }
}

impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("entry", &self.entry).finish_non_exhaustive()
    }
}

/// The most words of a record: 512 MiB.
const MOST_WORDS: usize = 1 << 26;

/// How a run went.
#[derive(Debug)]
pub struct Ran<W> {
    pub outcome: Outcome,
    pub instructions: u64,
    /// The world at the end.
    pub world: W,
}

/// A recorded run, or the end of one.
#[derive(Debug)]
pub struct Record<'p, W> {
    pub outcome: Outcome,
    pub log: Log,
    /// The process and the world where the record begins.
    pub start: (Process<'p>, W),
    /// The process and the world at the end.
    pub end: (Process<'p>, W),
    /// How many instructions were executed before the record begins.
    pub skipped: u64,
    /// Of a long run, where its end begins, which becomes a trace as a whole.
    pub tail: Option<Tail<'p, W>>,
    pub expected_status: Option<i32>,
}

/// The end of a long run.
#[derive(Debug)]
pub struct Tail<'p, W> {
    /// The process and the world where it begins.
    pub process: Process<'p>,
    pub world: W,
    /// How many words the record has by then.
    pub position: usize,
    /// What is kept of the steps before.
    pub kept: Kept,
}

impl<'p> Job<'p> {
    /// The program, about to start.
    fn start(&self) -> Option<Process<'p>> {
        let arguments: Vec<&[u8]> = self.arguments.iter().map(Vec::as_slice).collect();
        let environment: Vec<&[u8]> = self.environment.iter().map(Vec::as_slice).collect();
        Process::start(self.image, self.entry, &arguments, &environment)
    }

    /// Runs the program without recording what it does.
    pub fn run<W: Host>(&self, world: W, stop: &Stop) -> Ran<W> {
        self.run_watched(world, &mut Nothing, stop)
    }

    /// Runs the program while somebody watches it.
    pub fn run_watched<W: Host, O: Observer>(
        &self,
        mut world: W,
        observer: &mut O,
        stop: &Stop,
    ) -> Ran<W> {
        let Some(mut process) = self.start() else {
            let detail = Detail::Text("there is not enough memory for the arguments".to_owned());
            let fault = Fault { kind: FailureKind::Abort, detail };
            let outcome = Outcome::Failed { edge: EdgeId(0), fault };
            return Ran { outcome, instructions: 0, world };
        };
        let outcome = process.run(&mut world, observer, self.limits, stop);
        let outcome = finished(outcome, &process, &mut world);
        Ran { outcome, instructions: process.instructions(), world }
    }

    /// Runs the program again, for so many instructions as it took, and records what it does. Of a long
    /// run, steps that the failure does not depend on are left out, and its beginning if it is very long.
    /// None if the record becomes too long nevertheless.
    pub fn record<W: Host + Clone>(
        &self,
        world: W,
        instructions: u64,
        mode: InputMode,
        stop: &Stop,
    ) -> Option<Record<'p, W>> {
        // Inputs that are left out are as in the run; so they can only be left out if all are.
        let extent = self.extent;
        if instructions > extent.whole && mode == InputMode::Fixed {
            let end = instructions.saturating_sub(extent.end);
            for length in extent.recorded {
                let begin = instructions.saturating_sub(length);
                let record = self.record_from(world.clone(), begin, Some(end), stop);
                if record.is_some() || stop.requested() {
                    return record;
                }
            }
        }
        self.record_from(world, instructions.saturating_sub(extent.whole), None, stop)
    }

    /// Records a run from some instruction on; if there is an `end`, it is kept as a whole, and of what is
    /// before only what the failure depends on.
    fn record_from<W: Host + Clone>(
        &self,
        mut world: W,
        begin: u64,
        end: Option<u64>,
        stop: &Stop,
    ) -> Option<Record<'p, W>> {
        let mut process = self.start()?;
        let until = |instructions: u64| Limits { instructions, ..self.limits };
        if begin > 0 {
            let paused = process.run(&mut world, &mut Nothing, until(begin), stop);
            if !matches!(paused, Outcome::StepLimit { .. }) {
                return None;
            }
        }
        let start = (process.clone(), world.clone());
        let skipped = process.instructions();
        let mut recorder = Recorder::within(process.calls(), MOST_WORDS);
        let mut tail = None;
        if let Some(end) = end {
            let paused = process.run(&mut world, &mut recorder, until(end), stop);
            if !matches!(paused, Outcome::StepLimit { .. }) {
                return None;
            }
            tail = Some((process.clone(), world.clone(), recorder.log().len()));
        }
        let outcome = process.run(&mut world, &mut recorder, self.limits, stop);
        let outcome = finished(outcome, &process, &mut world);
        let log = recorder.finish()?;
        let extra = wrong_byte(self.program, &outcome, &process);
        let tail = match tail {
            Some((at, world, position)) => {
                let most = self.extent.kept;
                let kept = slice(self.program, &log, position, &outcome, extra, most)?;
                Some(Tail { process: at, world, position, kept })
            }
            None => None,
        };
        let (end, expected_status) = ((process, world), self.expected_status);
        Some(Record { outcome, log, start, end, skipped, tail, expected_status })
    }
}

/// The address of the byte of a text that was wrong output.
fn wrong_byte(program: &Program, outcome: &Outcome, process: &Process<'_>) -> Option<u64> {
    let Outcome::Failed { edge, fault } = outcome else { return None };
    let Detail::Output(wrong) = &fault.detail else { return None };
    let operands = program.edge(*edge).statement.operands();
    let argument = *operands.get(wrong.argument? as usize)?;
    let innermost = process.activations().len().checked_sub(1)?;
    let pointer = term::evaluate(&program.terms, argument, &mut |variable| {
        let sort = program.terms.sort(variable);
        let scalar = process.value(innermost, variable, 64)?;
        value_of_bits(sort, scalar.bits)
    })?;
    let (offset, _) = wrong.byte?;
    Some((scalar(&pointer).bits as u64).wrapping_add(offset))
}

/// The world has the last word on whether the end is as it should be.
pub(super) fn finished(outcome: Outcome, process: &Process<'_>, host: &mut dyn Host) -> Outcome {
    match outcome {
        Outcome::Finished { status } => match host.finish(status) {
            Ok(()) => outcome,
            Err(fault) => Outcome::Failed { edge: process.last_edge(), fault },
        },
        outcome => outcome,
    }
}

impl<'p, W: Host + Clone + fmt::Debug + 'p> Record<'p, W> {
    /// The failure that was recorded, with the means to repeat it. None if it is none.
    pub fn failure(self, job: Job<'p>, mode: InputMode) -> Option<Failure<'p>> {
        let program = job.program;
        let unfolded = unfold(program, &self, job.entry, mode);
        let property = describe(program, &self.outcome, &unfolded)?;
        let calls = unfolded.calls.iter().map(|&call| program.edge(call).site).collect();
        let about = about(program, &self.outcome, &unfolded.trace);
        let numbers = unfolded.numbers;
        let instructions = self.end.0.instructions();
        let (starts, tail) = (Starts::new(self.start), self.tail);
        let (log, outcome, values) = (self.log, self.outcome, OnceCell::new());
        let run = Again { job, starts, tail, log, outcome, instructions, numbers, values };
        Some(Failure {
            program,
            trace: unfolded.trace,
            inputs: unfolded.inputs,
            values: unfolded.values,
            about,
            property,
            calls,
            run: Some(Rc::new(run)),
        })
    }
}

/// Where the object that was accessed was made, or the variables were declared that were never set.
fn about(program: &Program, outcome: &Outcome, trace: &Trace) -> Vec<SiteId> {
    let made = |origin: Origin| match origin {
        Origin::Local(edge) => match &program.edge(edge).statement {
            Statement::Memory(Memory::Alloc { object, .. }) => object.declared,
            _ => None,
        },
        Origin::Heap(edge) => Some(program.edge(edge).site),
        Origin::Static(_) | Origin::Start => None,
    };
    let accessed = match outcome {
        Outcome::Failed { fault: Fault { detail: Detail::Access { object, .. }, .. }, .. } => {
            object.as_ref().and_then(|object| made(object.origin))
        }
        _ => None,
    };
    // What was never set may have been copied.
    let mut wanted: FxHashSet<Term> =
        trace.terms.variables_of(&trace.involved).into_iter().collect();
    // In the trace, what was never set has no name; in the program it has.
    let is_named = |read: &Term| program.variables.contains_key(&trace.origin(*read).1);
    let declared = |edge: EdgeId| -> Vec<SiteId> {
        let named = program.terms.variables_of(&program.edge(edge).statement.operands());
        named.iter().filter_map(|it| program.variables.get(it)?.declared).collect()
    };
    let mut never: Vec<SiteId> = Vec::new();
    if !wanted.iter().all(is_named) {
        never.extend(trace.path.last().map_or_else(Vec::new, |&edge| declared(edge)));
    }
    for step in trace.steps.iter().rev().filter(|_| !trace.involved.is_empty()) {
        if !step.action.place().is_some_and(|place| wanted.remove(&place.variable)) {
            continue;
        }
        let reads = step.reads(&trace.terms);
        if !reads.iter().all(is_named)
            && let Some(&edge) = trace.path.get(step.at as usize)
        {
            never.extend(declared(edge));
        }
        wanted.extend(reads);
    }
    never.extend(wanted.into_iter().filter_map(|variable| {
        match trace.cells.get(&variable).and_then(|&object| trace.objects.get(object as usize)) {
            Some(object) => made(object.origin),
            None => program.variables.get(&trace.origin(variable).1)?.declared,
        }
    }));
    let mut sites: Vec<SiteId> = accessed.into_iter().chain(never).collect();
    sites.sort_unstable();
    sites.dedup();
    sites
}

/// The means to repeat a run with changes.
#[derive(Debug)]
struct Again<'p, W> {
    job: Job<'p>,
    starts: Starts<'p, W>,
    tail: Option<Tail<'p, W>>,
    log: Log,
    outcome: Outcome,
    /// How many there were at the end.
    instructions: u64,
    numbers: Vec<Option<u32>>,
    /// How many values were assigned before each step, once somebody wants to know.
    values: OnceCell<Vec<u32>>,
}

impl<W: Host + Clone + fmt::Debug> Repeat for Again<'_, W> {
    fn with_changes(&self, changes: &[Change]) -> Vec<Replay> {
        changes.iter().map(|change| self.with_change(change)).collect()
    }

    fn run_on(&self, change: &Change) -> (After, u64) {
        let Some(number) = self.number(change) else { return (After::Unknown, 0) };
        let (start, number) = match self.tail_with(number) {
            Some(tail) => ((tail.process.clone(), tail.world.clone()), number - tail.kept.values),
            None => (self.starts.first.clone(), number),
        };
        run_on(&self.job, start, number, scalar(&change.value), self.instructions)
    }

    fn flipped(&self, trace: &Trace, flips: &[Flip]) -> Vec<Flipped> {
        flip::flipped(&self.job, &self.starts.first, trace, flips)
    }

    fn is_whole(&self) -> bool {
        self.starts.first.0.instructions() == 0 && self.tail.is_none()
    }

    fn number_on_edge(&self, step: usize, at: usize) -> Option<u32> {
        let number = self.numbers.get(step).copied().flatten()?;
        number.checked_sub(*self.values().get(at)?)
    }

    fn rerun(&self, rules: &[Rule], most: u64) -> Rerun {
        forcing::rerun(&self.job, &self.starts, rules, self.values().len(), most)
    }

    fn length(&self, most: u64) -> Option<u64> {
        forcing::length(&self.job, &self.starts, most)
    }
}

impl<W: Host + Clone> Again<'_, W> {
    fn values(&self) -> &[u32] {
        self.values.get_or_init(|| {
            let (mut before, mut values) = (Vec::new(), 0);
            for event in self.log.events(self.job.program) {
                match event {
                    Event::Step(_) => before.push(values),
                    Event::Value(_) => values += 1,
                    _ => {}
                }
            }
            before
        })
    }

    fn number(&self, change: &Change) -> Option<u32> {
        self.numbers.get(change.step).copied().flatten()
    }

    /// The end of a long run, if the value with this number is assigned there.
    fn tail_with(&self, number: u32) -> Option<&Tail<'_, W>> {
        self.tail.as_ref().filter(|tail| tail.kept.values <= number)
    }

    fn with_change(&self, change: &Change) -> Replay {
        let Some(number) = self.number(change) else { return Replay::Unclear };
        let value = scalar(&change.value);
        let tail = self.tail_with(number);
        let (mut process, mut world, mut follower) = match tail {
            Some(tail) => {
                let at = (tail.position, tail.kept.values);
                let follower = Follower::from(&self.log, at, number, value);
                (tail.process.clone(), tail.world.clone(), follower)
            }
            None => {
                let (process, world) = self.starts.first.clone();
                (process, world, Follower::new(&self.log, number, value))
            }
        };
        let outcome = process.run(&mut world, &mut follower, self.job.limits, &Stop::default());
        let ended = follower.at_end();
        let outcome = finished(outcome, &process, &mut world);
        match ended && same_end(&outcome, &self.outcome) {
            true => Replay::Completed { assigned: Vec::new() },
            false => Replay::Blocked { at: change.at },
        }
    }
}

/// Whether a run that went the same way ended as the other did.
fn same_end(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Failed { fault: a, .. }, Outcome::Failed { fault: b, .. }) => {
            is_same_failure(a, b)
        }
        (Outcome::StepLimit { .. }, Outcome::StepLimit { .. }) => true,
        _ => false,
    }
}

/// A value as a machine word.
pub(super) fn scalar(value: &Value) -> Scalar {
    Scalar::new(match value {
        Value::Bool(truth) => u128::from(*truth),
        Value::BitVec(bits) => bits.unsigned(),
        Value::Float(float) => u128::from(float.bits()),
        _ => 0,
    })
}
