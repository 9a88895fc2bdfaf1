//! What a repair needs of a Boogie program: its source as a tree, the failing runs as tests, and who reads edited texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use failure::Failure;
use localize::repair::Repairer;
use program::syntax::{Range, Syntax};
use program::{FailureKind, Program, SourceFile, Stop};
use repair::answers::Answers;
use repair::build::{Build, Built, Complaint, Engine, Outcome};
use repair::claims::Repair;
use repair::generate::Dialect;
use repair::kinds::Weights;
use repair::plain::Plain;
use repair::runs::{Input, Runnable, Test};
use repair::{Place, Problem, Text};
use term::Value;

use crate::error::Error;
use crate::options::Options;
use crate::repairs::{trusted, weights};
use crate::suite;

/// How many steps a failing run may take.
const MOST: u64 = 100_000_000;

/// A Boogie program with its failing runs.
#[derive(Debug)]
pub struct BoogieRepairs {
    program: Arc<Program>,
    engine: Engine,
    weights: Weights,
    tests: Vec<Test>,
    jobs: usize,
}

impl BoogieRepairs {
    pub fn new(
        options: &Options,
        program: &Arc<Program>,
        failures: &[Failure<'_>],
    ) -> Result<BoogieRepairs, Error> {
        let engine = Engine::Plain(Plain::new(program));
        let runnable = Runnable::new(program, &engine);
        let tests = failures.iter().map(|failure| {
            let input = Input::Answers(answers(failure));
            let instructions = runnable.run(&input, &[], MOST, &Stop::default()).instructions;
            Test { name: String::new(), input, instructions }
        });
        Ok(BoogieRepairs {
            tests: tests.collect(),
            program: program.clone(),
            weights: weights(options)?,
            jobs: suite::threads(options),
            engine,
        })
    }
}

/// What the environment answers in a failing run.
fn answers(failure: &Failure<'_>) -> Answers {
    let (program, trace) = (failure.program, &failure.trace);
    let mut initial = BTreeMap::new();
    // What a procedure is given may matter in an edited program, even if it does not in this run.
    for &parameter in &program.procedure(trace.entry).parameters {
        let zero = Value::zero(program.terms.sort(parameter));
        initial.extend(program.terms.name(parameter).map(|it| ((0, it.to_owned()), zero)));
    }
    for (&variable, value) in &failure.inputs.initial {
        let (activation, variable) = trace.origin(variable);
        let name = program.terms.name(variable);
        initial.extend(name.map(|it| ((activation, it.to_owned()), value.clone())));
    }
    let havocs = failure.inputs.havocs.clone();
    let answers = Answers { entry: trace.entry, initial, unset: 0, havocs, ways: Vec::new() };
    answers.along(program, &trace.path)
}

impl Repairer for BoogieRepairs {
    fn repair(&self, kind: FailureKind, places: &[(u32, Range)], stop: &Stop) -> Option<Repair> {
        let source = self.program.files.first()?;
        let syntax = source.syntax.clone()?;
        let text =
            Text { file: 0, syntax, dialect: Dialect::Boogie, fixed: trusted(&self.program, 0) };
        Some(repair::repair(Problem {
            program: &self.program,
            engine: &self.engine,
            texts: &[text],
            build: &Reader { name: &source.name },
            tests: &self.tests,
            failing: self.tests.len(),
            failure: Place { kind, places },
            weights: &self.weights,
            reference: None,
            jobs: self.jobs,
            stop,
        }))
    }
}

/// Makes Boogie programs of edited texts.
#[derive(Debug)]
struct Reader<'r> {
    /// Of the file.
    name: &'r str,
}

impl Build for Reader<'_> {
    fn build(&self, _: u32, text: &str) -> Outcome {
        match boogie::read(self.name, text) {
            Ok(program) => {
                let engine = Engine::Plain(Plain::new(&program));
                Outcome { built: Some(Built { program, engine }), complaints: Vec::new() }
            }
            Err(errors) => {
                let file = SourceFile::new(self.name, text);
                let complaint = |error: boogie::Error| Complaint {
                    line: file.position(error.span.start).line,
                    is_error: true,
                    text: error.message,
                };
                Outcome { built: None, complaints: errors.into_iter().map(complaint).collect() }
            }
        }
    }

    fn parse(&self, _: u32, text: &str) -> Syntax {
        boogie::syntax::syntax(text)
    }
}
