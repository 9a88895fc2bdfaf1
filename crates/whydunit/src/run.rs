//! The pipeline: read, search, replay, localize, report.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use failure::{Failure, Found, Incomplete, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::{Context, LOCALIZERS, diagnose};
use program::{Program, Stop};
use report::RunFacts;

use crate::error::Error;
use crate::input;
use crate::options::{Format, Options};
use crate::solvers::Solvers;

/// No single question to the solver may take longer.
const LONGEST_QUERY: Duration = Duration::from_secs(10);

pub fn run(options: &Options) -> Result<ExitCode, Error> {
    let start = Instant::now();
    let techniques = techniques(&options.technique)?;
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
    let stop = stop_after(options.time_limit)?;
    let progress = Progress::new();
    if let Some(folder) = &options.log_queries {
        std::fs::create_dir_all(folder).map_err(|error| {
            Error::Input(format!("error: cannot make {}: {error}\n", folder.display()))
        })?;
    }
    let solvers = Solvers::new(options.time_limit.min(LONGEST_QUERY), options.log_queries.clone());

    progress.say("searching for a failure");
    let limits = SearchLimits {
        traces: options.max_traces as usize,
        unrollings: options.unroll,
        steps: options.max_steps,
    };
    let found = search(&program, &mut *solvers.make(), limits, &stop);
    let searched = start.elapsed().as_secs_f64();
    let (failures, mut notes) = replay_all(&program, &found, &solvers)?;
    if failures.is_empty() {
        progress.clear();
        eprint!("{}", no_failure(&found, options, &notes));
        return Ok(ExitCode::from(1));
    }
    progress.say("deciding which statements are responsible");
    let make = || solvers.make();
    let context = Context { solvers: &make, stop: &stop };
    let diagnosis = diagnose(&failures, &techniques, context);
    if stop.requested() {
        notes.push("the time limit was reached; raise it with --time-limit".to_owned());
    }
    if options.max_traces > 1 && failures.len() < options.max_traces as usize {
        notes.push(fewer_traces(&found, failures.len()));
    }
    let facts = RunFacts {
        seconds: start.elapsed().as_secs_f64(),
        search_seconds: searched,
        solver_queries: solvers.queries(),
        notes,
    };
    progress.clear();
    let Some(report) = report::cook(&failures, &diagnosis, facts) else {
        return Err(Error::Internal("a failure without a report".to_owned()));
    };
    let to_terminal = options.output.is_none() && std::io::stdout().is_terminal();
    let text = match options.format {
        Format::Text => report::text(&report, &program.files, input::style_for(to_terminal)),
        Format::Json => report::json(&report),
    };
    write_answer(options, &text)?;
    Ok(ExitCode::SUCCESS)
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
        let Some(inputs) = simplest_inputs(&mut terms, &mut *solvers.make(), &trace, &run) else {
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

fn no_failure(found: &Found, options: &Options, notes: &[String]) -> String {
    let name = options.file.display();
    let mut text = if found.incomplete.is_empty() {
        format!("No failure: {name} has no execution that violates a property.\n")
    } else {
        format!("No failure was found in {name}.\n")
    };
    for reason in &found.incomplete {
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
                "The solver could not decide some branches, which were left out.\n".to_owned()
            }
            Incomplete::Stopped => format!(
                "The time limit of {:?} was reached; raise it with --time-limit.\n",
                options.time_limit
            ),
            Incomplete::Moves | Incomplete::Enough => String::new(),
        };
    }
    for note in notes {
        text += &format!("note: {note}\n");
    }
    text
}

fn fewer_traces(found: &Found, count: usize) -> String {
    let found_text = format!("found {count} failing trace{}", if count == 1 { "" } else { "s" });
    if found.incomplete.is_empty() {
        format!("{found_text}: there are no others")
    } else {
        format!("{found_text} within {} unrollings", found.unrollings)
    }
}

fn write_answer(options: &Options, text: &str) -> Result<(), Error> {
    let result = match &options.output {
        Some(path) => std::fs::write(path, text),
        None => {
            let mut out = std::io::stdout().lock();
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
                result => result,
            }
        }
    };
    result.map_err(|error| Error::Input(format!("error: cannot write the answer: {error}\n")))
}

/// A flag that is raised when the time is up or on Ctrl-C. The second Ctrl-C ends at once.
fn stop_after(limit: Duration) -> Result<Stop, Error> {
    let stop = Stop::default();
    let on_interrupt = stop.clone();
    let mut interrupted = false;
    ctrlc::set_handler(move || {
        if interrupted {
            std::process::exit(130);
        }
        interrupted = true;
        on_interrupt.request();
    })
    .map_err(|error| Error::Internal(error.to_string()))?;
    let on_time = stop.clone();
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        on_time.request();
    });
    Ok(stop)
}

/// One line on a terminal that says what is going on.
struct Progress {
    shown: bool,
}

impl Progress {
    fn new() -> Progress {
        Progress { shown: std::io::stderr().is_terminal() }
    }

    fn say(&self, what: &str) {
        if self.shown {
            eprint!("\r\x1b[K{what} …");
        }
    }

    fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
