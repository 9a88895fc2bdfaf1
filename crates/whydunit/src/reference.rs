//! Another version of the program, which is right: it says what should be printed, and how it should end.
//!
//! It is run with what tests are run with, and says what they leave open; and with inputs near the failing one, when fixes are
//! judged.

use host::{Setup, World};
use program::process::{Image, Outcome};
use program::{Program, Stop};
use repair::Judge;
use repair::neighbours::Neighbour;
use repair::runs::Input;

use crate::c;
use crate::clock::Clock;
use crate::error::Error;
use crate::options::Options;
use crate::progress::Progress;
use crate::runs::{self, Around};

/// A program that says what is right.
#[derive(Debug)]
pub struct Reference {
    program: Program,
    image: Image,
    pub name: String,
}

/// What it says of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Right {
        output: Vec<u8>,
        status: i32,
    },
    /// It has values that may be anything.
    Open,
    /// It does not say what is right, and why.
    Nothing(String),
    /// There was no time.
    Stopped,
}

impl Reference {
    /// Compiles it, if there is one and there is time.
    pub fn read(
        options: &Options,
        clock: &Clock,
        progress: &Progress,
    ) -> Result<Option<Reference>, Error> {
        let Some(first) = options.reference.first() else { return Ok(None) };
        progress.say("compiling the reference");
        if let Some(other) = options.reference.iter().find(|file| !c::is_c(file)) {
            let name = other.display();
            return Err(Error::Input(format!("error: {name}: a reference is a C program\n")));
        }
        let program = c::read(&options.reference, options, clock.stop());
        if clock.ended().is_some() {
            return Ok(None);
        }
        let (program, _) = program?;
        let image = c::image(&program)?;
        Ok(Some(Reference { program, image, name: first.display().to_string() }))
    }

    /// What it does with an input, within so many instructions.
    pub fn ask(&self, setup: &Setup, most: u64, stop: &Stop) -> Said {
        // It may do what it likes.
        let setup = Setup { expected_output: None, expected_status: None, ..setup.clone() };
        let around = Around { program: &self.program, image: &self.image, setup: &setup };
        let ran = runs::job(around, most).run(World::new(setup.clone()), stop);
        match ran.outcome {
            Outcome::Finished { .. }
                if !ran.world.asked().is_empty() && setup.inputs.is_empty() =>
            {
                Said::Open
            }
            Outcome::Finished { status } => {
                Said::Right { output: ran.world.output().to_vec(), status }
            }
            Outcome::Stopped => Said::Stopped,
            Outcome::Failed { fault, .. } => {
                Said::Nothing(format!("it fails itself ({})", fault.kind))
            }
            Outcome::Blocked { .. } => Said::Nothing("its assumptions do not hold".to_owned()),
            Outcome::StepLimit { .. } => {
                Said::Nothing(format!("it does not end within {most} steps (--max-steps)"))
            }
        }
    }

    /// A single input, with what is expected of it as far as the user has not said that.
    pub fn complete(&self, setup: Setup, most: u64, stop: &Stop) -> Result<Setup, Error> {
        match self.ask(&setup, most, stop) {
            Said::Right { output, status } => Ok(Setup {
                expected_output: setup.expected_output.or(Some(output)),
                expected_status: setup.expected_status.or(Some(status)),
                ..setup
            }),
            Said::Open | Said::Stopped => Ok(setup),
            Said::Nothing(why) => {
                let name = &self.name;
                let why = format!("the reference {name} does not say what is right: {why}");
                Err(Error::Input(format!("error: {why}\n")))
            }
        }
    }
}

impl Judge for Reference {
    fn judged(&self, neighbour: &Neighbour, most: u64, stop: &Stop) -> Option<Neighbour> {
        let Input::Setup(setup) = &neighbour.input else { return None };
        let Said::Right { output, status } = self.ask(setup, most, stop) else { return None };
        let (expected_output, expected_status) = (Some(output), Some(status));
        let setup = Setup { expected_output, expected_status, ..setup.clone() };
        Some(Neighbour { input: Input::Setup(setup), says: neighbour.says.clone() })
    }
}
