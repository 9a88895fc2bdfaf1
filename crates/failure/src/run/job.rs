//! Running a program until it fails, and running it again.

use std::fmt;
use std::rc::Rc;

use program::process::{
    Detail, Fault, Follower, Host, Image, Limits, Log, Nothing, Outcome, Process, Recorder, Scalar,
};
use program::{EdgeId, FailureKind, ProcedureId, Program, Stop};
use term::Value;

use super::describe::describe;
use super::fail::is_same_failure;
use super::{InputMode, flip, unfold};
use crate::flip::{Flip, Flipped};
use crate::replay::{Change, Failure, Repeat, Replay};
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
}

impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("entry", &self.entry).finish_non_exhaustive()
    }
}

/// Of a longer run, only the end is recorded: so many instructions.
const WINDOW: u64 = 2_000_000;
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
    pub expected_status: Option<i32>,
}

impl<'p> Job<'p> {
    /// The program, about to start.
    fn start(&self) -> Option<Process<'p>> {
        let arguments: Vec<&[u8]> = self.arguments.iter().map(Vec::as_slice).collect();
        let environment: Vec<&[u8]> = self.environment.iter().map(Vec::as_slice).collect();
        Process::start(self.image, self.entry, &arguments, &environment)
    }

    /// Runs the program without recording what it does.
    pub fn run<W: Host>(&self, mut world: W, stop: &Stop) -> Ran<W> {
        let Some(mut process) = self.start() else {
            let detail = Detail::Text("there is not enough memory for the arguments".to_owned());
            let fault = Fault { kind: FailureKind::Abort, detail };
            let outcome = Outcome::Failed { edge: EdgeId(0), fault };
            return Ran { outcome, instructions: 0, world };
        };
        let outcome = process.run(&mut world, &mut Nothing, self.limits, stop);
        let outcome = finished(outcome, &process, &mut world);
        Ran { outcome, instructions: process.instructions(), world }
    }

    /// Runs the program again and records what it does, or the end of it if it takes many instructions.
    /// None if the record becomes too long nevertheless.
    pub fn record<W: Host + Clone>(
        &self,
        mut world: W,
        instructions: u64,
        stop: &Stop,
    ) -> Option<Record<'p, W>> {
        let mut process = self.start()?;
        let skip = instructions.saturating_sub(WINDOW);
        if skip > 0 {
            let limits = Limits { instructions: skip, ..self.limits };
            process.run(&mut world, &mut Nothing, limits, stop);
        }
        let start = (process.clone(), world.clone());
        let skipped = process.instructions();
        let mut recorder = Recorder::within(process.calls(), MOST_WORDS);
        let outcome = process.run(&mut world, &mut recorder, self.limits, stop);
        let outcome = finished(outcome, &process, &mut world);
        let log = recorder.finish()?;
        let expected_status = self.expected_status;
        Some(Record { outcome, log, start, end: (process, world), skipped, expected_status })
    }
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
        let numbers = unfolded.numbers;
        let run = Again { job, start: self.start, log: self.log, outcome: self.outcome, numbers };
        Some(Failure {
            program,
            trace: unfolded.trace,
            inputs: unfolded.inputs,
            values: unfolded.values,
            property,
            calls,
            run: Some(Rc::new(run)),
        })
    }
}

/// The means to repeat a run with changes.
#[derive(Debug)]
struct Again<'p, W> {
    job: Job<'p>,
    start: (Process<'p>, W),
    log: Log,
    outcome: Outcome,
    numbers: Vec<Option<u32>>,
}

impl<W: Host + Clone + fmt::Debug> Repeat for Again<'_, W> {
    fn with_changes(&self, changes: &[Change]) -> Vec<Replay> {
        changes.iter().map(|change| self.with_change(change)).collect()
    }

    fn flipped(&self, trace: &Trace, flips: &[Flip]) -> Vec<Flipped> {
        flip::flipped(&self.job, &self.start, trace, flips)
    }
}

impl<W: Host + Clone> Again<'_, W> {
    fn with_change(&self, change: &Change) -> Replay {
        let Some(number) = self.numbers.get(change.step).copied().flatten() else {
            return Replay::Unclear;
        };
        let (mut process, mut world) = self.start.clone();
        let mut follower = Follower::new(&self.log, number, scalar(&change.value));
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
