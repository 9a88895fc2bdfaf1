//! What a repair needs of a C program: its sources as trees, its tests, and a workshop.

use std::sync::Arc;

use host::Setup;
use localize::repair::Repairer;
use program::process::Image;
use program::syntax::Range;
use program::{FailureKind, Program, SiteId, Stop, Trust};
use repair::apart::{Refuted, Told};
use repair::build::Engine;
use repair::claims::Repair;
use repair::generate::Dialect;
use repair::kinds::Weights;
use repair::runs::{Input, Runnable, Test};
use repair::{Judge, Place, Problem, Text};

use report::{TestReport, TestVerdict};

use crate::error::Error;
use crate::options::Options;
use crate::reference::Reference;
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
    reference: Option<Arc<Reference>>,
) -> Result<Repairs, Error> {
    Ok(Repairs {
        program: program.clone(),
        engine: Engine::Memory(image.clone()),
        parts: Arc::new(parts),
        weights: weights(options)?,
        tests: tests.all,
        failing: tests.failing,
        refuted: Vec::new(),
        reference,
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
#[derive(Clone, Debug)]
pub struct Repairs {
    pub program: Arc<Program>,
    pub engine: Engine,
    pub parts: Arc<Parts>,
    pub weights: Weights,
    /// The failing ones first, then the shortest first.
    pub tests: Vec<Test>,
    pub failing: usize,
    /// What the user said is wrong.
    pub refuted: Vec<Refuted>,
    pub reference: Option<Arc<Reference>>,
    pub jobs: usize,
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
            refuted: &self.refuted,
            reference,
            jobs: self.jobs,
            stop,
        }))
    }

    fn knowing(&self, input: &Input, told: &Told) -> Arc<dyn Repairer> {
        let mut own = self.clone();
        match (told, input) {
            (Told::Right { output, status }, Input::Setup(setup)) => own.add(Setup {
                expected_output: output.clone(),
                expected_status: *status,
                ..setup.clone()
            }),
            (Told::Wrong(wrong), _) => {
                own.refuted.push(Refuted { input: input.clone(), wrong: wrong.clone() });
            }
            (Told::Right { .. }, Input::Answers(_)) => {}
        }
        Arc::new(own)
    }
}

impl Repairs {
    /// One more test, which fails or passes by now.
    fn add(&mut self, setup: Setup) {
        const MOST: u64 = 100_000_000;
        let input = Input::Setup(setup);
        let ran =
            Runnable::new(&self.program, &self.engine).run(&input, &[], MOST, &Stop::default());
        let test = Test { name: String::new(), input, instructions: ran.instructions };
        let (first, end) = match ran.end.passed() {
            true => (self.failing, self.tests.len()),
            false => (0, self.failing),
        };
        // The first failing test is the one that is explained.
        let own = &self.tests[first..end];
        let longer = own.iter().position(|it| it.instructions > test.instructions);
        let at = longer.map_or(end, |at| first + at).max(usize::from(!ran.end.passed()));
        self.failing += usize::from(!ran.end.passed());
        self.tests.insert(at, test);
    }

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
