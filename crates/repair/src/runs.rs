//! Running edited programs: with which inputs, and how that ends.

use host::{Setup, World};
use program::process::static_address;
use program::process::{Coverage, Host, Image, Limits, Nothing, Observer, Outcome, Process};
use program::{EdgeId, FailureKind, ProcedureId, Program, StaticId, Stop};

use crate::schema::{CHOICE, Choice};

/// A test, or another input with which it is known what happens.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    pub setup: Setup,
    /// How many instructions it takes in the program as written.
    pub instructions: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It ended as it should, with this status.
    Passed(i32),
    Failed {
        kind: FailureKind,
        edge: EdgeId,
    },
    /// An assumption did not hold.
    Blocked,
    /// It took too long.
    Cut,
}

impl End {
    pub fn passed(&self) -> bool {
        matches!(self, End::Passed(_))
    }
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Ran {
    pub end: End,
    pub instructions: u64,
    pub output: Vec<u8>,
    /// What was noted of the values that a check reads.
    pub seen: Vec<u64>,
}

/// A program that can be run with choices.
#[derive(Clone, Copy, Debug)]
pub struct Runnable<'p> {
    pub image: &'p Image,
    entry: ProcedureId,
    /// Where it is said which version of each chunk counts.
    choices: Option<u64>,
}

impl<'p> Runnable<'p> {
    pub fn new(program: &'p Program, image: &'p Image) -> Runnable<'p> {
        let array = program.statics.iter().position(|it| it.name == CHOICE);
        Runnable {
            image,
            entry: program.entries.first().copied().unwrap_or(ProcedureId(0)),
            choices: array.map(|number| static_address(StaticId(number as u32))),
        }
    }

    /// Runs it with these choices, for so many instructions at most.
    pub fn run(&self, setup: &Setup, choices: &[Choice], most: u64, stop: &Stop) -> Ran {
        self.watched(setup, choices, most, stop, &mut Nothing)
    }

    /// The same, and which edges are taken.
    pub fn covered(
        &self,
        program: &Program,
        setup: &Setup,
        most: u64,
        stop: &Stop,
    ) -> (Ran, Coverage) {
        let mut coverage = Coverage::of(program);
        let ran = self.watched(setup, &[], most, stop, &mut coverage);
        (ran, coverage)
    }

    fn watched<O: Observer>(
        &self,
        setup: &Setup,
        choices: &[Choice],
        most: u64,
        stop: &Stop,
        observer: &mut O,
    ) -> Ran {
        let arguments: Vec<&[u8]> = setup.arguments.iter().map(Vec::as_slice).collect();
        let environment: Vec<&[u8]> = setup.environment.iter().map(Vec::as_slice).collect();
        let started = Process::start(self.image, self.entry, &arguments, &environment);
        let nothing = |end| Ran { end, instructions: 0, output: Vec::new(), seen: Vec::new() };
        let Some(mut process) = started else { return nothing(End::Cut) };
        for choice in choices {
            let version = (choice.version as u16).to_le_bytes();
            let address = self.choices.map(|it| it + 2 * u64::from(choice.chunk));
            // What is not in the program makes no difference.
            if let Some(address) = address
                && process.memory_mut().write(address, &version).is_err()
            {
                return nothing(End::Cut);
            }
        }
        let mut world = World::new(setup.clone());
        let limits = Limits { instructions: most, ..Limits::default() };
        let outcome = process.run(&mut world, observer, limits, stop);
        let end = match outcome {
            Outcome::Finished { status } => match world.finish(status) {
                Ok(()) => End::Passed(status),
                Err(fault) => End::Failed { kind: fault.kind, edge: process.last_edge() },
            },
            Outcome::Failed { edge, fault } => End::Failed { kind: fault.kind, edge },
            Outcome::Blocked { .. } => End::Blocked,
            Outcome::StepLimit { .. } | Outcome::Stopped => End::Cut,
        };
        let seen = world.seen().to_vec();
        Ran { end, instructions: process.instructions(), output: world.output().to_vec(), seen }
    }
}
