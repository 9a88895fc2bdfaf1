//! Failures of programs without memory, by search.

use failure::{Failure, Found, Incomplete, SearchLimits, Trace, search, simplest_inputs, symbolic};
use program::Program;

use crate::clock::{Clock, End, Task};
use crate::error::Error;
use crate::memory;
use crate::options::Options;
use crate::run::{Nothing, Obtained};
use crate::solvers::Solvers;

const MOST_STEPS: u64 = 1_000_000;

/// Searches for failing executions and replays them.
pub fn obtain<'p>(
    program: &'p Program,
    options: &Options,
    solvers: &Solvers,
    clock: &Clock,
) -> Result<Obtained<'p>, Error> {
    let found = find(program, options, solvers, clock);
    let (failures, mut notes) = replay_all(program, &found, solvers)?;
    let nothing = match failures.is_empty() {
        true => no_failure(&found, options, clock.ended()).with(notes.clone()),
        false => Nothing::default(),
    };
    if options.traces() > 1 && failures.len() < options.traces() {
        notes.push(fewer_traces(&found, failures.len()));
    }
    Ok(Obtained { failures, notes, nothing, ..Obtained::default() })
}

/// What to say if the search did not come to an end.
pub fn stopped(options: &Options, end: Option<End>) -> Nothing {
    let nothing = Found { incomplete: vec![Incomplete::Stopped], ..Found::default() };
    no_failure(&nothing, options, end)
}

/// Searches for as many failures as wanted, or at least for one.
fn find(program: &Program, options: &Options, solvers: &Solvers, clock: &Clock) -> Found {
    let limits = SearchLimits {
        traces: options.traces(),
        unrollings: options.unroll,
        steps: usize::try_from(options.max_steps.unwrap_or(MOST_STEPS)).unwrap_or(usize::MAX),
    };
    let found = search(program, &mut *solvers.make(Task::Search), limits, clock.stop_search());
    let stopped = clock.stop_search().requested() && clock.ended().is_none();
    if !(stopped && found.paths.is_empty()) {
        return found;
    }
    let one = SearchLimits { traces: 1, ..limits };
    search(program, &mut *solvers.make(Task::Diagnosis), one, clock.stop())
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

fn no_failure(found: &Found, options: &Options, end: Option<End>) -> Nothing {
    let name = options.file().display();
    if found.incomplete.is_empty() && found.paths.is_empty() {
        let text = format!("No failure: {name} has no execution that violates a property.\n");
        return Nothing::no_failure(text);
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
                options.max_steps.unwrap_or(MOST_STEPS)
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
            End::MemoryLimit(limit) => memory::reached(limit),
            End::Interrupted => "The search was interrupted.\n".to_owned(),
        };
    }
    Nothing::unknown(text)
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
