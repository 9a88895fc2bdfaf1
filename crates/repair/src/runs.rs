//! Running edited programs: with which inputs, and how that ends.

use std::collections::BTreeSet;

use host::{Reading, Setup, World};
use program::process::static_address;
use program::process::{Coverage, Host, Image, Limits, Nothing, Observer, Outcome, Process};
use program::{EdgeId, FailureKind, ProcedureId, Program, StaticId, Stop};

use crate::answers::Answers;
use crate::build::Engine;
use crate::plain::{self, Way};
use crate::schema::{CHOICE, Choice};

/// What a program is run with.
#[derive(Clone, Debug)]
pub enum Input {
    /// One with memory.
    Setup(Setup),
    /// One without.
    Answers(Answers),
}

impl Input {
    /// Whether it is known what is right.
    pub fn is_judged(&self) -> bool {
        matches!(self, Input::Setup(setup) if setup.expected_output.is_some())
    }

    /// The same, where whatever comes out is taken as it is.
    pub fn unjudged(&self) -> Input {
        match self {
            Input::Setup(setup) => Input::Setup(Setup {
                expected_output: None,
                expected_status: None,
                ..setup.clone()
            }),
            Input::Answers(answers) => Input::Answers(answers.clone()),
        }
    }
}

/// A test, or another input with which it is known what happens.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    pub input: Input,
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
    /// How much of the output is as expected, from its beginning.
    pub right: u64,
    /// What was noted of the values that a check reads.
    pub seen: Vec<u64>,
    /// How much of the standard input was read.
    pub reading: Reading,
}

impl Ran {
    /// It could not be run.
    fn nothing() -> Ran {
        let (output, seen, reading) = (Vec::new(), Vec::new(), Reading::default());
        Ran { end: End::Cut, instructions: 0, output, right: 0, seen, reading }
    }
}

/// A program that can be run with choices.
#[derive(Clone, Copy, Debug)]
pub struct Runnable<'p> {
    program: &'p Program,
    engine: &'p Engine,
    /// Where it is said which version of each chunk counts, in memory.
    choices: Option<u64>,
    /// Of a program without memory: the edges of the check that is watched.
    watched: &'p [EdgeId],
}

impl<'p> Runnable<'p> {
    pub fn new(program: &'p Program, engine: &'p Engine) -> Runnable<'p> {
        let array = program.statics.iter().position(|it| it.name == CHOICE);
        let choices = array.map(|number| static_address(StaticId(number as u32)));
        Runnable { program, engine, choices, watched: &[] }
    }

    /// The same, where it is noted when these edges are taken, and what they read.
    pub fn watching(self, watched: &'p [EdgeId]) -> Runnable<'p> {
        Runnable { watched, ..self }
    }

    /// Runs it with these choices, for so many instructions at most.
    pub fn run(&self, input: &Input, choices: &[Choice], most: u64, stop: &Stop) -> Ran {
        match (self.engine, input) {
            (Engine::Memory(image), Input::Setup(setup)) => {
                self.observed(image, setup, choices, (most, stop), &mut Nothing)
            }
            (Engine::Plain(plain), Input::Answers(answers)) => {
                let way = Way { answers, choices, watched: self.watched, most };
                plain::run(self.program, plain, way, stop, &mut |_| {})
            }
            // There are no such programs.
            _ => Ran::nothing(),
        }
    }

    /// Which edges are taken.
    pub fn covered(&self, input: &Input, most: u64, stop: &Stop) -> Vec<EdgeId> {
        match (self.engine, input) {
            (Engine::Memory(image), Input::Setup(setup)) => {
                let mut coverage = Coverage::of(self.program);
                self.observed(image, setup, &[], (most, stop), &mut coverage);
                coverage.edges().collect()
            }
            (Engine::Plain(plain), Input::Answers(answers)) => {
                let mut edges = BTreeSet::new();
                let way = Way { answers, choices: &[], watched: &[], most };
                plain::run(self.program, plain, way, stop, &mut |edge| {
                    edges.insert(edge);
                });
                edges.into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn observed<O: Observer>(
        &self,
        image: &Image,
        setup: &Setup,
        choices: &[Choice],
        (most, stop): (u64, &Stop),
        observer: &mut O,
    ) -> Ran {
        let arguments: Vec<&[u8]> = setup.arguments.iter().map(Vec::as_slice).collect();
        let environment: Vec<&[u8]> = setup.environment.iter().map(Vec::as_slice).collect();
        let entry = self.program.entries.first().copied().unwrap_or(ProcedureId(0));
        let Some(mut process) = Process::start(image, entry, &arguments, &environment) else {
            return Ran::nothing();
        };
        for choice in choices {
            let version = (choice.version as u16).to_le_bytes();
            let address = self.choices.map(|it| it + 2 * u64::from(choice.chunk));
            // What is not in the program makes no difference.
            if let Some(address) = address
                && process.memory_mut().write(address, &version).is_err()
            {
                return Ran::nothing();
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
        let (output, seen) = (world.output().to_vec(), world.seen().to_vec());
        let expected = setup.expected_output.as_deref().unwrap_or_default();
        let right = output.iter().zip(expected).take_while(|(a, b)| a == b).count() as u64;
        let reading = world.reading();
        Ran { end, instructions: process.instructions(), output, right, seen, reading }
    }
}
