//! Failures of C programs, by running them.

use failure::run::{Asked, ExploreLimits, Explored, Extent, InputMode, Job, Record, explore};
use host::{Setup, World};
use program::process::{Image, Limits, Outcome};
use program::{Gap, Program};

use crate::clock::{Clock, End, Task};
use crate::memory;
use crate::options::{Inputs, Options};
use crate::progress::Progress;
use crate::run::{Nothing, Obtained};
use crate::solvers::Solvers;

/// The limits if none are given: of a run with given inputs, and of one in a search.
const MOST_STEPS: u64 = 1_000_000_000;
const MOST_STEPS_OF_SEARCH: u64 = 1_000_000;

/// That there is a failure, but not more.
pub const NO_TIME: &str = "The program fails, but there was no time left to analyse it.\n";

/// A program that is ready to be run.
#[derive(Clone, Copy)]
pub struct Around<'p> {
    pub program: &'p Program,
    pub image: &'p Image,
    pub setup: &'p Setup,
}

/// Runs the program; if it asks for nondeterministic values, searches for those that make it fail. As soon as it is known that
/// it fails, `found` is called.
pub fn obtain<'p>(
    around: Around<'p>,
    options: &Options,
    solvers: &Solvers,
    clock: &Clock,
    progress: &Progress,
    found: &dyn Fn(),
) -> Obtained<'p> {
    let job = job(around, limit(options));
    let mut obtained = Obtained::default();
    let searched = options.max_steps.unwrap_or(MOST_STEPS_OF_SEARCH);
    // With nondeterministic values, a run that takes long is one of many.
    let first = Job { limits: Limits { instructions: searched, ..job.limits }, ..job };
    let mut ran = first.run(World::new(around.setup.clone()), clock.stop());
    let by_convention = asks_by_convention(&ran.world);
    if !by_convention && matches!(ran.outcome, Outcome::StepLimit { .. }) {
        ran = job.run(World::new(around.setup.clone()), clock.stop());
    }
    obtained.notes.extend(unknown_functions(&ran.world));
    let fails = match ran.outcome {
        Outcome::Failed { .. } => true,
        Outcome::StepLimit { .. } => !by_convention,
        _ => false,
    };
    if fails {
        found();
    }
    if fails && options.traces() == 1 {
        add_failure(&mut obtained, around, job, Vec::new(), options, clock);
        return obtained;
    }
    if ran.world.asked().is_empty() {
        if fails {
            add_failure(&mut obtained, around, job, Vec::new(), options, clock);
            let why = "found 1 failing trace: the program asks for no values that could be others";
            obtained.notes.push(why.to_owned());
        } else {
            let nothing = no_failure(&ran.outcome, &ran.world, options, clock.ended());
            obtained.nothing = nothing.with(notes(&obtained.notes, around.program));
        }
        return obtained;
    }
    progress.say("searching for inputs that fail");
    let world = |inputs: Asked| World::new(Setup { inputs, ..around.setup.clone() });
    let limits = ExploreLimits { failures: options.traces(), instructions: searched };
    let mut solver = solvers.make(Task::Search);
    let mut explored = explore(job, &world, &mut *solver, limits, clock.stop_search());
    // The search may have been stopped before it came to what is known already.
    if fails && explored.failing.is_empty() {
        explored.failing.push(Vec::new());
    }
    if !explored.failing.is_empty() {
        found();
    }
    for inputs in &explored.failing {
        add_failure(&mut obtained, around, job, inputs.clone(), options, clock);
    }
    if obtained.failures.is_empty() {
        let nothing = nothing_found(&explored, options, clock.ended());
        obtained.nothing = nothing.with(notes(&obtained.notes, around.program));
    } else if obtained.failures.len() < options.traces() {
        obtained.notes.push(fewer_traces(&explored, obtained.failures.len(), clock.ended()));
    }
    obtained
}

/// What is to be said besides, if there is no failure: also what the program does not model.
fn notes(notes: &[String], program: &Program) -> Vec<String> {
    let gaps = program.gaps.iter().map(|gap| &gap.message);
    notes.iter().chain(gaps).cloned().collect()
}

/// Why there are fewer traces than wanted.
fn fewer_traces(explored: &Explored, count: usize, end: Option<End>) -> String {
    let found = format!("found {count} failing trace{}", if count == 1 { "" } else { "s" });
    match (end, explored) {
        (Some(_), _) => found,
        (None, Explored { stopped: true, .. }) => {
            format!("{found} in half of the time limit; --time-limit gives more")
        }
        (None, Explored { cut: true, .. }) => {
            format!("{found}; some executions were cut off, --max-steps gives them more steps")
        }
        (None, Explored { undecided: true, .. }) => {
            format!("{found}; the solver could not decide some branches, which were left out")
        }
        _ => format!("{found}: there are no others"),
    }
}

/// Whether the program asks for nondeterministic values itself. Results of functions that nobody defines
/// are left open, too, but that is no reason to cut its run short.
fn asks_by_convention(world: &World) -> bool {
    world.asked().iter().any(|asked| !world.unknown().contains(&asked.name))
}

/// How many instructions a single run may take.
pub fn limit(options: &Options) -> u64 {
    options.max_steps.unwrap_or(MOST_STEPS)
}

pub fn job(around: Around<'_>, instructions: u64) -> Job<'_> {
    Job {
        program: around.program,
        image: around.image,
        entry: around.program.entries.first().copied().unwrap_or(program::ProcedureId(0)),
        arguments: &around.setup.arguments,
        environment: &around.setup.environment,
        expected_status: around.setup.expected_status,
        limits: Limits { instructions, ..Limits::default() },
        extent: Extent::default(),
    }
}

/// Runs the program once more and makes a failure of what it does.
pub fn add_failure<'p>(
    obtained: &mut Obtained<'p>,
    around: Around<'p>,
    job: Job<'p>,
    inputs: Asked,
    options: &Options,
    clock: &Clock,
) {
    let setup = Setup { inputs, ..around.setup.clone() };
    let stop = clock.stop_recording();
    let ran = job.run(World::new(setup.clone()), stop);
    let mode = match options.inputs {
        Inputs::Fixed => InputMode::Fixed,
        Inputs::Free => InputMode::Free,
    };
    let record = job.record(World::new(setup.clone()), ran.instructions, mode, stop);
    // A record that was finished in time counts, whatever happened since.
    let finished = record.filter(|record| !matches!(record.outcome, Outcome::Stopped));
    let Some(record) = finished else {
        obtained.nothing = Nothing::unknown(match stop.requested() {
            true => NO_TIME,
            false => "The failing run is too long to be analysed.\n",
        });
        return;
    };
    obtained.notes.extend(long_run(&record, ran.instructions));
    match record.failure(job, mode) {
        Some(failure) => {
            obtained.failures.push(failure);
            obtained.failing.push((setup, ran.instructions));
        }
        None => {
            let why = "The failure was not seen again in a second run.\n";
            obtained.nothing = Nothing::unknown(why);
        }
    }
}

/// What is not analysed of a long run.
fn long_run<W>(record: &Record<'_, W>, instructions: u64) -> Vec<String> {
    let mut notes = Vec::new();
    if record.skipped > 0 {
        notes.push(format!(
            "the first {} of {instructions} instructions of the run were not analysed",
            record.skipped
        ));
    }
    if let Some(tail) = &record.tail {
        notes.push(format!(
            "the run is long: of what it did before its last {} instructions, only what the failure depends \
             on was analysed",
            instructions.saturating_sub(tail.process.instructions())
        ));
    }
    notes
}

/// Functions that nobody defines, as notes.
pub fn unknown_functions(world: &World) -> Vec<String> {
    let gap = |name: &String| Gap {
        span: None,
        message: format!(
            "the function `{name}` has no definition: its result may be anything, and it writes nothing"
        ),
    };
    world.unknown().iter().map(|name| gap(name).message).collect()
}

fn no_failure(outcome: &Outcome, world: &World, options: &Options, end: Option<End>) -> Nothing {
    let name = options.file().display();
    let mut text = match outcome {
        Outcome::Finished { status } => {
            format!("No failure: {name} ended with status {status}.\n")
        }
        Outcome::Blocked { .. } => {
            format!("No failure: {name} ended where its assumptions do not hold.\n")
        }
        _ => format!("No failure was found in {name}.\n"),
    };
    if let (Outcome::Finished { .. }, Some(what)) = (outcome, world.forgiven()) {
        text += &format!("Its output differs from the expected one only in {what}.\n");
    }
    match end {
        Some(End::TimeLimit) => {
            text += &format!(
                "The time limit of {:?} was reached; raise it with --time-limit.\n",
                options.time_limit
            );
        }
        Some(End::MemoryLimit(limit)) => text += &memory::reached(limit),
        Some(End::Interrupted) => text += "The run was interrupted.\n",
        None if options.expect.is_none() && !world.output().is_empty() => {
            text += "Is its output wrong? --expect FILE says what it should be.\n";
        }
        None if options.expect.is_none() && options.expect_exit.is_none() => {
            text += "Is that wrong? --expect-exit N says how it should end; arguments come after `--`.\n";
        }
        None => {}
    }
    match outcome {
        Outcome::Finished { .. } | Outcome::Blocked { .. } => Nothing::no_failure(text),
        _ => Nothing::unknown(text),
    }
}

fn nothing_found(explored: &Explored, options: &Options, end: Option<End>) -> Nothing {
    let name = options.file().display();
    let complete = !explored.cut && !explored.undecided && !explored.stopped;
    let mut text = match complete {
        true => format!("No failure: {name} fails with no inputs ({} ways).\n", explored.runs),
        false => format!("No failure was found in {name} ({} runs).\n", explored.runs),
    };
    if explored.cut && end.is_none() {
        text += "Some executions were cut off; --max-steps gives them more steps.\n";
    }
    if explored.undecided && end.is_none() {
        text += "The solver could not decide some branches; they were left out.\n";
    }
    if let Some(end) = end {
        text += &match end {
            End::TimeLimit => format!(
                "The time limit of {:?} was reached; raise it with --time-limit.\n",
                options.time_limit
            ),
            End::MemoryLimit(limit) => memory::reached(limit),
            End::Interrupted => "The search was interrupted.\n".to_owned(),
        };
    }
    match complete {
        true => Nothing::no_failure(text),
        false => Nothing::unknown(text),
    }
}
