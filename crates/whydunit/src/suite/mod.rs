//! Test suites: all tests are run, and the failure of one of them is explained.
//!
//! Tests are run by the interpreter, several at a time: program and image are shared, each run has a world of its own.
//! So nothing in a result depends on who ran it, or when. What a test does not say about output and status,
//! a reference may: another program that is run first, with the same input.
//!
//! The failing test with the shortest run is explained, because there is least to read; of several, the first. With
//! `--max-traces N` it is the N shortest ones.

mod notes;
mod parallel;
mod read;
pub mod words;

use std::path::PathBuf;

use host::{Setup, World};
use localize::spectrum::{TestRun, Verdict};
use localize::{LOCALIZERS, When};
use program::process::{Coverage, Image, Outcome};
use program::{FailureKind, Program};
use report::{SuiteReport, TestReport, TestVerdict};

use self::read::Case;
use crate::answers;
use crate::c;
use crate::clock::{Clock, End};
use crate::error::Error;
use crate::memory;
use crate::options::Options;
use crate::progress::Progress;
use crate::reference::{Reference, Said};
use crate::repairs::Tests;
use crate::run::{Nothing, Obtained};
use crate::runs::{self, Around};

/// The limit of each test, in instructions, if none is given.
const MOST_STEPS: u64 = 10_000_000;

/// A suite that has been run.
#[derive(Debug)]
pub struct Suite {
    pub report: SuiteReport,
    /// What the tests executed, if a technique wants to know.
    pub runs: Vec<TestRun>,
    /// All tests, for those who edit the program.
    pub tests: Tests,
    /// What the tests that are to be explained are run with.
    pub failing: Vec<Setup>,
    /// What is to be said of the runs of these.
    notes: Vec<String>,
    /// What to say if there is nothing to explain.
    nothing: Nothing,
}

/// How a test went.
struct Tried {
    test: TestReport,
    run: Option<TestRun>,
    notes: Vec<String>,
}

/// What is watched while tests are run. It takes time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Watched {
    Nothing,
    Statements,
}

/// Runs all tests, if there is a suite.
pub fn run(
    program: &Program,
    image: &Image,
    reference: Option<&Reference>,
    options: &Options,
    techniques: &[&str],
    clock: &Clock,
    progress: &Progress,
) -> Result<Option<Suite>, Error> {
    if !options.has_suite() {
        return Ok(None);
    }
    let mut cases = cases(options)?;
    let mut base = c::setup(options)?;
    if let (None, Some(folder)) = (options.compare, &options.tests) {
        base.compare = read::comparison(folder)?.unwrap_or_default();
    }
    if let Some(reference) = reference {
        ask_reference(reference, &mut cases, &base, options, clock, progress)?;
    }
    let compares = LOCALIZERS.iter().filter(|l| l.when == When::WithTests);
    let watched = match compares.map(|l| l.name).any(|name| techniques.contains(&name)) {
        true => Watched::Statements,
        false => Watched::Nothing,
    };
    let setups: Vec<Setup> = cases.iter().map(|case| setup(case, &base)).collect();
    let done = progress.count("running the tests", setups.len());
    let tried = parallel::each(setups.len(), threads(options), &done, |number| {
        if cases[number].skipped.is_some() {
            return Tried::skipped(&cases[number].name);
        }
        let around = Around { program, image, setup: &setups[number] };
        try_test(&cases[number].name, around, watched, options, clock)
    })?;
    let said = notes::skipped(&cases);
    choose(tried, setups, said, options, clock).map(Some)
}

/// The tests, in order.
fn cases(options: &Options) -> Result<Vec<Case>, Error> {
    if !options.arguments().is_empty() {
        let why = "the tests have arguments of their own: leave out those after `--`";
        return Err(Error::Input(format!("error: {why}\n")));
    }
    let cases = match (&options.tests, &options.test_list) {
        (Some(folder), _) => read::folder(folder)?,
        (None, Some(list)) => read::list(list, options.expected.as_deref())?,
        (None, None) => Vec::new(),
    };
    let read = cases.iter().flat_map(|case| &case.files).map(PathBuf::as_path);
    answers::refuse_inputs(options, read)?;
    match &options.test {
        Some(name) if !cases.iter().any(|case| case.name == *name) => Err(Error::Input(format!(
            "error: there is no test `{name}`; there is: {}\n",
            notes::some_names(&cases)
        ))),
        _ => Ok(cases),
    }
}

impl Tried {
    fn skipped(name: &str) -> Tried {
        let test = TestReport {
            name: name.to_owned(),
            verdict: TestVerdict::Skipped,
            instructions: 0,
            kind: None,
            forgiven: None,
        };
        Tried { test, run: None, notes: Vec::new() }
    }
}

fn setup(case: &Case, base: &Setup) -> Setup {
    Setup {
        arguments: base.arguments.iter().chain(&case.arguments).cloned().collect(),
        stdin: case.stdin.clone().unwrap_or_default(),
        expected_output: case.expected_output.clone(),
        expected_status: case.expected_status.or(base.expected_status),
        ..base.clone()
    }
}

pub fn threads(options: &Options) -> usize {
    let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    options.jobs.map_or_else(available, |jobs| jobs as usize)
}

fn limit(options: &Options) -> u64 {
    options.max_steps.unwrap_or(MOST_STEPS)
}

/// Runs the reference to learn what the tests should do, as far as they do not say it themselves.
fn ask_reference(
    reference: &Reference,
    cases: &mut [Case],
    base: &Setup,
    options: &Options,
    clock: &Clock,
    progress: &Progress,
) -> Result<(), Error> {
    let open = |case: &Case| case.expected_output.is_none() || case.expected_status.is_none();
    let mut asked: Vec<&mut Case> = cases.iter_mut().filter(|case| open(case)).collect();
    let setups: Vec<Setup> = asked.iter().map(|case| setup(case, base)).collect();
    let done = progress.count("running the reference", setups.len());
    let said = parallel::each(setups.len(), threads(options), &done, |number| {
        reference.ask(&setups[number], limit(options), clock.stop_search())
    })?;
    for (case, said) in asked.iter_mut().zip(said) {
        match said {
            Said::Right { output, status } => {
                let own = case.expected_output.take();
                case.expected_output = own.or(Some(output));
                case.expected_status = case.expected_status.or(Some(status));
            }
            // Then the test is not run, either.
            Said::Stopped => {}
            Said::Open => skip(case, reference, "it asks for values that may be anything"),
            Said::Nothing(why) => skip(case, reference, &why),
        }
    }
    match cases.first().and_then(|case| case.skipped.as_ref()) {
        Some(why) if cases.iter().all(|case| case.skipped.is_some()) => {
            Err(Error::Input(format!("error: there is no test left to run: {why}\n")))
        }
        _ => Ok(()),
    }
}

fn skip(case: &mut Case, reference: &Reference, why: &str) {
    let name = &reference.name;
    case.skipped = Some(format!("the reference {name} does not say what is right there: {why}"));
}

fn try_test(
    name: &str,
    around: Around<'_>,
    watched: Watched,
    options: &Options,
    clock: &Clock,
) -> Tried {
    let job = runs::job(around, limit(options));
    let world = World::new(around.setup.clone());
    let mut coverage = Coverage::of(around.program);
    let ran = match watched {
        Watched::Nothing => job.run(world, clock.stop_search()),
        Watched::Statements => job.run_watched(world, &mut coverage, clock.stop_search()),
    };
    let (verdict, kind) = match &ran.outcome {
        Outcome::Finished { .. } => (TestVerdict::Passed, None),
        Outcome::Failed { fault, .. } => match fault.kind {
            FailureKind::WrongOutput | FailureKind::ExitStatus => {
                (TestVerdict::Failed, Some(fault.kind))
            }
            kind => (TestVerdict::Crashed, Some(kind)),
        },
        Outcome::StepLimit { .. } => (TestVerdict::TimedOut, Some(FailureKind::StepLimit)),
        Outcome::Blocked { .. } | Outcome::Stopped => (TestVerdict::Skipped, None),
    };
    // How far a run came that was stopped says nothing about it.
    let instructions = match ran.outcome {
        Outcome::Stopped => 0,
        _ => ran.instructions,
    };
    let forgiven = match verdict {
        TestVerdict::Passed => ran.world.forgiven(),
        _ => None,
    };
    let test = TestReport { name: name.to_owned(), verdict, instructions, kind, forgiven };
    let compared = match verdict {
        _ if watched == Watched::Nothing => None,
        TestVerdict::Passed => Some(Verdict::Passed),
        TestVerdict::Skipped => None,
        TestVerdict::Failed | TestVerdict::Crashed | TestVerdict::TimedOut => Some(Verdict::Failed),
    };
    let run = compared.map(|verdict| TestRun { verdict, coverage });
    Tried { test, run, notes: runs::unknown_functions(&ran.world) }
}

/// Decides which failures are explained.
fn choose(
    tried: Vec<Tried>,
    setups: Vec<Setup>,
    mut said: Vec<String>,
    options: &Options,
    clock: &Clock,
) -> Result<Suite, Error> {
    let wanted = |test: &TestReport| match &options.test {
        Some(name) => test.name == *name,
        None => true,
    };
    let is_failing = |&number: &usize| {
        let test = &tried[number].test;
        test.verdict.is_failure() && wanted(test)
    };
    let mut explained: Vec<usize> = (0..tried.len()).filter(is_failing).collect();
    explained.sort_by_key(|&number| tried[number].test.instructions);
    explained.truncate(options.traces());
    let first = explained.first().and_then(|&number| tried.get(number));
    let mut notes = first.map_or_else(Vec::new, |tried| tried.notes.clone());
    let failing = explained.iter().map(|&number| setups[number].clone()).collect();
    let (mut tests, mut runs) = (Vec::new(), Vec::new());
    for tried in tried {
        tests.push(tried.test);
        runs.extend(tried.run);
    }
    let all = Tests::of_suite(&tests, &setups);
    let report = SuiteReport { tests, explained };
    // Tests may also be left because their assumptions do not hold.
    let end = clock.search_ended().filter(|_| report.count(TestVerdict::Skipped) > 0);
    let why = match end {
        Some(End::TimeLimit) => Some("in half of the time limit; --time-limit gives more"),
        Some(End::MemoryLimit(_)) => Some("within the memory limit; --memory-limit gives more"),
        Some(End::Interrupted) | None => None,
    };
    notes.extend(why.map(|why| format!("not all tests were run {why}")));
    said.extend(notes::forgiven(&report.tests));
    let nothing = nothing(&report, &said, options, end);
    notes.extend(said);
    Ok(Suite { report, runs, tests: all, failing, notes, nothing })
}

/// Failing tests of a suite are explained together, unless they have more steps: those of long runs take much time and memory, and
/// say little more than one of them.
const MOST_STEPS_EXPLAINED: usize = 200_000;

fn left_out(count: usize) -> String {
    let what = match count {
        1 => "another failing test is".to_owned(),
        _ => format!("{count} other failing tests are"),
    };
    format!("the run is long, so {what} not looked at; --max-traces says how many should be")
}

/// That no test fails, or not the one that is wanted.
fn nothing(report: &SuiteReport, said: &[String], options: &Options, end: Option<End>) -> Nothing {
    let summary = report.summary();
    let one = options.test.as_ref();
    let one = one.and_then(|name| report.tests.iter().find(|test| test.name == *name));
    let mut text = match one {
        Some(test) => {
            format!("No failure: test {} was {} ({summary}).\n", test.name, test.verdict.words())
        }
        None if end.is_some() => format!("No failure was found: {summary}.\n"),
        None => format!("No failure: {summary}.\n"),
    };
    match end {
        Some(End::TimeLimit) => {
            text += "Not all were run in half of the time limit; --time-limit gives more.\n";
        }
        Some(End::MemoryLimit(limit)) => text += &memory::reached(limit),
        Some(End::Interrupted) => text += "The run was interrupted.\n",
        None => {}
    }
    let nothing = match end {
        Some(_) => Nothing::unknown(text),
        None => Nothing::no_failure(text),
    };
    nothing.with(said.to_vec())
}

impl Suite {
    /// What to say if a test fails, and the time is over before its run has been recorded.
    pub fn unrecorded(&self) -> Option<String> {
        let fails = !self.failing.is_empty();
        fails.then(|| format!("{}.\n{}", self.report.summary(), runs::NO_TIME))
    }

    /// The failures that are to be explained.
    pub fn obtain<'p>(
        &self,
        program: &'p Program,
        image: &'p Image,
        setups: &'p [Setup],
        options: &Options,
        clock: &Clock,
    ) -> Obtained<'p> {
        let (notes, nothing) = (self.notes.clone(), self.nothing.clone());
        let mut obtained = Obtained { notes, nothing, ..Obtained::default() };
        let mut steps = 0;
        for (number, setup) in setups.iter().enumerate() {
            if steps > MOST_STEPS_EXPLAINED && options.max_traces.is_none() {
                obtained.notes.push(left_out(setups.len() - number));
                break;
            }
            let around = Around { program, image, setup };
            let job = runs::job(around, limit(options));
            runs::add_failure(&mut obtained, around, job, Vec::new(), options, clock);
            steps = obtained.failures.iter().map(|failure| failure.trace.steps.len()).sum();
        }
        if !setups.is_empty() {
            let why = format!("{}.\n{}", self.report.summary(), obtained.nothing.text);
            obtained.nothing = Nothing::unknown(why);
        }
        obtained
    }
}
