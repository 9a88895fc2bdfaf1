//! The pipeline: read, search, replay, localize, report.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use failure::{Failure, Found, Incomplete, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::{Context, Diagnosis, LOCALIZERS, diagnose};
use program::Program;
use report::RunFacts;

use crate::clock::{Clock, End, Task};
use crate::error::Error;
use crate::input;
use crate::options::{Format, Options};
use crate::output;
use crate::progress::Progress;
use crate::solvers::Solvers;

/// No single question to the solver may take longer.
const LONGEST_QUERY: Duration = Duration::from_secs(10);

pub fn run(options: &Options) -> Result<ExitCode, Error> {
    let techniques = techniques(&options.technique)?;
    let program = read(options)?;
    if let Some(folder) = &options.log_queries {
        std::fs::create_dir_all(folder).map_err(|error| {
            let why = crate::error::plain(&error);
            Error::Input(format!("error: cannot make {}: {why}\n", folder.display()))
        })?;
    }
    let start = Instant::now();
    let known = Known::default();
    let queries = Arc::new(AtomicU64::new(0));
    let progress = Progress::new(queries.clone());
    let clock = start_clock(options, known.clone(), progress.clone())?;
    let limit = options.time_limit.min(LONGEST_QUERY);
    let solvers = Solvers::new(clock.clone(), limit, options.log_queries.clone(), queries);

    progress.say("searching for a failure");
    let found = find(&program, options, &solvers, &clock);
    let search_seconds = start.elapsed().as_secs_f64();
    let (failures, mut notes) = replay_all(&program, &found, &solvers)?;
    if failures.is_empty() {
        let message = no_failure(&found, options, &notes, clock.ended());
        return clock.answer(|| {
            progress.clear();
            output::complain(&message);
            Ok(1)
        });
    }
    if options.max_traces > 1 && failures.len() < options.max_traces as usize {
        notes.push(fewer_traces(&found, failures.len()));
    }
    let facts = |mut notes: Vec<String>, end: Option<End>| {
        notes.extend(end.map(|end| ended(end, options)));
        let seconds = start.elapsed().as_secs_f64();
        RunFacts { seconds, search_seconds, solver_queries: solvers.queries(), notes }
    };
    // Should the techniques not stop in time, this is what is known.
    let nothing = Diagnosis::default();
    let partly = facts(notes.clone(), Some(clock.ended().unwrap_or(End::TimeLimit)));
    known.set(answer(options, &program, &failures, &nothing, partly)?);

    progress.say("deciding which statements are responsible");
    let make = || solvers.make(Task::Diagnosis);
    let context = Context { solvers: &make, stop: clock.stop() };
    let diagnosis = diagnose(&failures, &techniques, context);
    let text = answer(options, &program, &failures, &diagnosis, facts(notes, clock.ended()))?;
    clock.answer(|| {
        progress.clear();
        output::write_answer(options.output.as_deref(), &text).map(|()| 0)
    })
}

/// Reads the program and prepares it as the options say.
fn read(options: &Options) -> Result<Program, Error> {
    let mut program = input::read(&options.file)?;
    if let Some(entry) = &options.entry {
        input::enter_at(&mut program, entry)?;
    }
    for name in &options.trust {
        input::trust(&mut program, name)?;
    }
    if program.entries.is_empty() {
        return Err(Error::Input(format!(
            "error: {} has no procedure with a body: there is nothing to run\n",
            options.file.display()
        )));
    }
    Ok(program)
}

/// The answer that is printed if the run does not stop when it should.
#[derive(Clone, Default)]
struct Known(Arc<Mutex<Option<String>>>);

impl Known {
    fn set(&self, text: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

fn start_clock(options: &Options, known: Known, progress: Progress) -> Result<Clock, Error> {
    // Failures that leave no time to explain them are of little use.
    let for_search = match options.max_traces {
        1 => options.time_limit,
        _ => options.time_limit / 2,
    };
    let (path, own) = (options.output.clone(), options.clone());
    Clock::start(options.time_limit, for_search, move |clock| {
        progress.clear();
        let status = match known.take() {
            Some(text) => match output::write_answer(path.as_deref(), &text) {
                Ok(()) => 0,
                Err(error) => {
                    output::complain(&error.to_string());
                    2
                }
            },
            None => {
                let nothing = Found { incomplete: vec![Incomplete::Stopped], ..Found::default() };
                output::complain(&no_failure(&nothing, &own, &[], clock.ended()));
                1
            }
        };
        clock.status(status)
    })
}

/// Searches for as many failures as wanted, or at least for one.
fn find(program: &Program, options: &Options, solvers: &Solvers, clock: &Clock) -> Found {
    let limits = SearchLimits {
        traces: options.max_traces as usize,
        unrollings: options.unroll,
        steps: options.max_steps,
    };
    let found = search(program, &mut *solvers.make(Task::Search), limits, clock.stop_search());
    let stopped = clock.stop_search().requested() && clock.ended().is_none();
    if !(stopped && found.paths.is_empty()) {
        return found;
    }
    let one = SearchLimits { traces: 1, ..limits };
    search(program, &mut *solvers.make(Task::Diagnosis), one, clock.stop())
}

fn answer(
    options: &Options,
    program: &Program,
    failures: &[Failure<'_>],
    diagnosis: &Diagnosis,
    facts: RunFacts,
) -> Result<String, Error> {
    let Some(report) = report::cook(failures, diagnosis, facts) else {
        return Err(Error::Internal("a failure without a report".to_owned()));
    };
    let to_terminal = options.output.is_none() && std::io::stdout().is_terminal();
    Ok(match options.format {
        Format::Text => report::text(&report, &program.files, input::style_for(to_terminal)),
        Format::Json => report::json(&report),
    })
}

fn techniques(names: &[String]) -> Result<Vec<&'static str>, Error> {
    if names.iter().any(|name| name == "all" || name == "auto") {
        return Ok(LOCALIZERS.iter().map(|l| l.name).collect());
    }
    names
        .iter()
        .map(|name| {
            let known: Vec<&str> = LOCALIZERS.iter().map(|l| l.name).collect();
            LOCALIZERS.iter().find(|l| l.name == name).map(|l| l.name).ok_or_else(|| {
                Error::Input(format!(
                    "error: there is no technique `{name}`; there is: {}, all\n",
                    known.join(", ")
                ))
            })
        })
        .collect()
}

/// Chooses inputs for each path found and runs it in the interpreter.
fn replay_all<'p>(
    program: &'p Program,
    found: &Found,
    solvers: &Solvers,
) -> Result<(Vec<Failure<'p>>, Vec<String>), Error> {
    let mut failures = Vec::new();
    let mut notes = Vec::new();
    for (entry, path) in &found.paths {
        let trace = Trace::from_path(program, *entry, path);
        let mut terms = trace.terms.clone();
        let run = symbolic::execute(&mut terms, &trace);
        let Some(inputs) =
            simplest_inputs(&mut terms, &mut *solvers.make(Task::Inputs), &trace, &run)
        else {
            notes.push("the solver found no exact inputs for a failing path".to_owned());
            continue;
        };
        match Failure::new(program, trace, inputs) {
            Some(failure) => failures.push(failure),
            None => {
                return Err(Error::Internal(
                    "a failing path that was found cannot be replayed".to_owned(),
                ));
            }
        }
    }
    Ok((failures, notes))
}

fn no_failure(found: &Found, options: &Options, notes: &[String], end: Option<End>) -> String {
    let name = options.file.display();
    if found.incomplete.is_empty() && found.paths.is_empty() {
        return format!("No failure: {name} has no execution that violates a property.\n");
    }
    let mut text = format!("No failure was found in {name}.\n");
    // After the end every branch is undecided, so the other reasons say nothing.
    let reasons = if end.is_none() { &found.incomplete[..] } else { &[] };
    for reason in reasons {
        text += &match reason {
            Incomplete::Unrollings => format!(
                "Loops were unrolled {} times; --unroll {} searches deeper.\n",
                found.unrollings,
                found.unrollings.saturating_mul(5)
            ),
            Incomplete::Steps => format!(
                "An execution did not end within {} steps (--max-steps): is there an endless loop?\n",
                options.max_steps
            ),
            Incomplete::Solver => {
                "The solver could not decide some branches, or found no exact values for them; they \
                 were left out.\n"
                    .to_owned()
            }
            Incomplete::Stopped | Incomplete::Moves | Incomplete::Enough => String::new(),
        };
    }
    if let Some(end) = end {
        text += &match end {
            End::TimeLimit => format!(
                "The time limit of {:?} was reached; raise it with --time-limit.\n",
                options.time_limit
            ),
            End::Interrupted => "The search was interrupted.\n".to_owned(),
        };
    }
    for note in notes {
        text += &format!("note: {note}\n");
    }
    text
}

/// What an answer lacks if the end came too early.
fn ended(end: End, options: &Options) -> String {
    match end {
        End::TimeLimit => format!(
            "the time limit of {:?} was reached before all was decided; raise it with --time-limit",
            options.time_limit
        ),
        End::Interrupted => "interrupted before all was decided".to_owned(),
    }
}

fn fewer_traces(found: &Found, count: usize) -> String {
    let found_text = format!("found {count} failing trace{}", if count == 1 { "" } else { "s" });
    if found.incomplete.is_empty() {
        format!("{found_text}: there are no others")
    } else if found.incomplete.contains(&Incomplete::Stopped) {
        format!("{found_text} in half of the time limit; --time-limit gives more")
    } else {
        format!("{found_text} within {} unrollings", found.unrollings)
    }
}
