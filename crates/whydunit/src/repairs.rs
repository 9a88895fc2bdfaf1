//! What a repair needs of a C program: its sources as trees, its tests, and a workshop.

use std::sync::Arc;

use host::{Setup, World};
use localize::repair::Repairer;
use program::process::{Image, Outcome};
use program::syntax::Range;
use program::{FailureKind, Program, SiteId, Stop, Trust};
use repair::build::Engine;
use repair::claims::Repair;
use repair::generate::Dialect;
use repair::kinds::Weights;
use repair::neighbours::Neighbour;
use repair::runs::{Input, Test};
use repair::{Judge, Place, Problem, Text};

use report::{TestReport, TestVerdict};

use crate::error::Error;
use crate::options::Options;
use crate::runs::{self, Around};
use crate::workshop::{Parts, Workshop};
use crate::{input, suite};

/// What a test may take that does not end in the program as written, besides what others take: who repairs it wants an answer
/// that is about as short as theirs.
const ENDLESS: u64 = 50_000;

/// The tests that edited programs are run on: the failing ones first, then the shortest.
#[derive(Clone, Debug, Default)]
pub struct Tests {
    pub all: Vec<Test>,
    pub failing: usize,
}

impl Tests {
    /// The tests of a suite that were run to their end.
    pub fn of_suite(tests: &[TestReport], setups: &[Setup]) -> Tests {
        let mut known: Vec<(&TestReport, &Setup)> = tests.iter().zip(setups).collect();
        known.retain(|(test, _)| test.verdict != TestVerdict::Skipped);
        known.sort_by_key(|(test, _)| (!test.verdict.is_failure(), test.instructions));
        let failing = known.iter().filter(|(test, _)| test.verdict.is_failure()).count();
        let ends = |test: &TestReport| test.verdict != TestVerdict::TimedOut;
        let ended = known.iter().filter(|(test, _)| ends(test)).map(|(test, _)| test.instructions);
        let longest = ended.max().unwrap_or(0);
        let all = known.into_iter().map(|(test, setup)| Test {
            name: test.name.clone(),
            input: Input::Setup(setup.clone()),
            instructions: match ends(test) {
                true => test.instructions,
                false => test.instructions.min(2 * longest + ENDLESS),
            },
        });
        Tests { all: all.collect(), failing }
    }

    /// Failing runs without a suite; a run that takes `most` instructions does not end.
    pub fn of_runs(failing: Vec<(Setup, u64)>, most: u64) -> Tests {
        let one = |(setup, instructions): (Setup, u64)| {
            let instructions = if instructions < most { instructions } else { 2 * ENDLESS };
            let (name, input) = (String::new(), Input::Setup(setup));
            Test { name, input, instructions }
        };
        let all: Vec<Test> = failing.into_iter().map(one).collect();
        Tests { failing: all.len(), all }
    }
}

/// What is needed to repair this program.
pub fn repairs(
    options: &Options,
    program: &Arc<Program>,
    image: &Arc<Image>,
    parts: Parts,
    tests: Tests,
) -> Result<Repairs, Error> {
    Ok(Repairs {
        program: program.clone(),
        engine: Engine::Memory(image.clone()),
        parts: Arc::new(parts),
        weights: weights(options)?,
        tests: tests.all,
        failing: tests.failing,
        reference: None,
        jobs: suite::threads(options),
    })
}

/// How much kinds of edits are preferred.
pub fn weights(options: &Options) -> Result<Weights, Error> {
    let weights = Weights::default();
    let Some(path) = &options.edits else { return Ok(weights) };
    let text = String::from_utf8_lossy(&input::read_bytes(path)?).into_owned();
    weights.with(&text).map_err(|mistake| {
        let (line, column, why) = (mistake.line, mistake.column, mistake.why);
        Error::Input(format!("error: {}:{line}:{column}: {why}\n", path.display()))
    })
}

/// A C program with its tests.
#[derive(Debug)]
pub struct Repairs {
    pub program: Arc<Program>,
    pub engine: Engine,
    pub parts: Arc<Parts>,
    pub weights: Weights,
    /// The failing ones first, then the shortest first.
    pub tests: Vec<Test>,
    pub failing: usize,
    pub reference: Option<Arc<Reference>>,
    pub jobs: usize,
}

/// A program that says what is right.
#[derive(Debug)]
pub struct Reference {
    pub program: Program,
    pub image: Image,
    pub most: u64,
}

impl Judge for Reference {
    fn judged(&self, neighbour: &Neighbour) -> Option<Neighbour> {
        let Input::Setup(setup) = &neighbour.input else { return None };
        let unjudged = Setup { expected_output: None, expected_status: None, ..setup.clone() };
        let around = Around { program: &self.program, image: &self.image, setup: &unjudged };
        let ran = runs::job(around, self.most).run(World::new(unjudged.clone()), &Stop::default());
        let Outcome::Finished { status } = ran.outcome else { return None };
        let setup = Setup {
            expected_output: Some(ran.world.output().to_vec()),
            expected_status: Some(status),
            ..unjudged
        };
        Some(Neighbour { input: Input::Setup(setup), says: neighbour.says.clone() })
    }
}

impl Repairer for Repairs {
    fn repair(&self, kind: FailureKind, places: &[(u32, Range)], stop: &Stop) -> Option<Repair> {
        let program = &*self.program;
        let workshop = Workshop::new(&self.parts, program, stop.clone()).ok()?;
        let checked = places.first().filter(|_| kind.is_specified()).copied();
        let texts: Vec<Text> = self.sources(checked);
        if texts.is_empty() || self.failing == 0 {
            return None;
        }
        let reference = self.reference.as_deref().map(|it| it as &dyn Judge);
        Some(repair::repair(Problem {
            program,
            engine: &self.engine,
            texts: &texts,
            build: &workshop,
            tests: &self.tests,
            failing: self.failing,
            failure: Place { kind, places },
            weights: &self.weights,
            reference,
            jobs: self.jobs,
            stop,
        }))
    }
}

impl Repairs {
    /// The source files that have statements of the user.
    fn sources(&self, checked: Option<(u32, Range)>) -> Vec<Text> {
        let program = &*self.program;
        let mut texts = Vec::new();
        for (number, file) in (0u32..).zip(&program.files) {
            if !self.is_source(&file.name) {
                continue;
            }
            let mut fixed: Vec<Range> =
                checked.into_iter().filter(|it| it.0 == number).map(|it| it.1).collect();
            fixed.extend(trusted(program, number));
            let Some(syntax) = file.syntax.clone() else { continue };
            texts.push(Text { file: number, syntax, dialect: Dialect::C, fixed });
        }
        texts
    }

    /// Whether a file is compiled from source here, not only named in bitcode that was given.
    fn is_source(&self, name: &str) -> bool {
        let is_unit = |path: &std::path::Path| {
            path.to_string_lossy() == name
                || path.canonicalize().is_ok_and(|it| {
                    std::path::Path::new(name).canonicalize().is_ok_and(|other| it == other)
                })
        };
        let is_header = !name.ends_with(".c") && !name.ends_with(".i");
        !self.parts.units.is_empty()
            && (is_header || self.parts.units.iter().any(|(path, _)| is_unit(path)))
    }
}

/// What the user says is right, in this file.
pub fn trusted(program: &Program, file: u32) -> Vec<Range> {
    let all = (0..program.sites.len() as u32).map(|number| program.site(SiteId(number)));
    let own = all.filter(|site| site.trust == Trust::Trusted);
    own.filter_map(|site| site.span)
        .filter(|span| span.file.0 == file)
        .map(|span| Range { start: span.start, end: span.end })
        .collect()
}
