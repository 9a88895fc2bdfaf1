//! Which edits make the failing tests pass: many are tried, with little effort for each.
//!
//! A batch of edits is compiled as one text ([`crate::schema`]) and run on the failing tests first, then on the others, the
//! shortest first, until one does not pass. What the compiler complains about is left out: it says so by lines, and each edit has lines
//! of its own. If the text behaves otherwise than the program even if nothing is chosen, the batch is divided until it is known
//! which edit is to blame. What has no place in such a text is compiled apart, of which there is little.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use program::Stop;
use program::syntax::Syntax;
use rustc_hash::FxHashSet;

use crate::build::{Build, Built};
use crate::edit::{Edit, applied};
use crate::generate::Dialect;
use crate::runs::{End, Runnable, Test};
use crate::schema::{Choice, Schema, schema};

/// So many edits are in one text.
pub const BATCH: usize = 1_500;
/// A text is compiled so often, each time without what the compiler does not like.
const ROUNDS: usize = 4;
/// So many edits are run before it is asked whether there was enough work. Only between rounds, so that it does not depend on
/// how threads share them.
const ROUND: usize = 128;
/// What a run takes besides its instructions, and what 1,024 instructions take.
const RUN: Duration = Duration::from_micros(30);
const INSTRUCTION: Duration = Duration::from_micros(4);
/// What it takes to compile a text, besides what it takes for each edit.
pub const COMPILE: Duration = Duration::from_millis(80);
pub const COMPILE_EDIT: Duration = Duration::from_micros(120);
/// What repairs none of the first failing tests is not run on others.
const MOST_HOPELESS: usize = 5;
/// An edited run may take so much longer than the one as written.
const PATIENCE: u64 = 4;
const MORE: u64 = 10_000;

/// How many instructions it may take to see that a text with edits behaves as the program does.
const EFFORT_OF_LIMITS: u64 = 20_000_000;

/// What is to be edited and how it is tried.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'t> {
    pub build: &'t dyn Build,
    /// Those that fail first; then the shortest first.
    pub tests: &'t [Test],
    /// How many of them fail as it is.
    pub failing: usize,
    /// How many threads may run tests.
    pub jobs: usize,
    pub stop: &'t Stop,
}

/// A source file that is edited.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    pub syntax: &'t Syntax,
    pub file: u32,
    pub dialect: Dialect,
}

/// How an edited program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The number of the edit.
    pub edit: usize,
    /// How many of the failing tests pass, of those that were run.
    pub fixed: usize,
    /// The first test that passed before and fails now, by its number; unknown if no failing test passes.
    pub broken: Option<usize>,
    /// How much of the output of the first failing test that does not pass is right.
    pub right: u64,
    pub instructions: u64,
}

impl Tally {
    /// Whether all failing tests pass.
    pub fn repairs(&self, failing: usize) -> bool {
        self.fixed == failing
    }

    pub fn passes_all(&self, failing: usize) -> bool {
        self.repairs(failing) && self.broken.is_none()
    }

    /// Whether some failing tests pass, and none that passed fails.
    pub fn helps(&self) -> bool {
        self.fixed > 0 && self.broken.is_none()
    }
}

/// A text with edits, compiled.
#[derive(Debug)]
pub struct Batch {
    pub schema: Schema,
    pub built: Built,
}

/// What became of a number of edits.
#[derive(Debug, Default)]
pub struct Screened {
    /// Those that were run.
    pub tallies: Vec<Tally>,
    /// Those that the compiler does not like.
    pub rejected: usize,
    /// Those that have to be compiled apart.
    pub apart: Vec<usize>,
    pub batches: Vec<Batch>,
}

/// Tries these edits of a file.
pub fn screen(trial: Trial<'_>, source: Source<'_>, edits: &[Edit], numbers: &[usize]) -> Screened {
    let mut screened = Screened::default();
    let mut open: Vec<Vec<usize>> = vec![numbers.to_vec()];
    while let Some(numbers) = open.pop() {
        if trial.stop.requested() || numbers.is_empty() {
            continue;
        }
        let Some((schema, built)) = compiled(trial, source, edits, &numbers, &mut screened) else {
            divide(numbers, &mut open, &mut screened);
            continue;
        };
        let limits = limits(trial, Runnable::new(&built.program, &built.engine));
        let Some(limits) = limits else {
            divide(numbers, &mut open, &mut screened);
            continue;
        };
        let wanted: Vec<usize> =
            numbers.iter().copied().filter(|&it| !schema.choices[it].is_empty()).collect();
        let tallies = tried(trial, &schema, &built, &limits, &wanted);
        screened.tallies.extend(tallies);
        screened.batches.push(Batch { schema, built });
    }
    screened.tallies.sort_by_key(|it| it.edit);
    screened
}

/// Halves a batch that cannot be used; a single edit is compiled apart.
fn divide(numbers: Vec<usize>, open: &mut Vec<Vec<usize>>, screened: &mut Screened) {
    match numbers.len() {
        0 => {}
        1 => screened.apart.extend(numbers),
        length => {
            let (first, second) = numbers.split_at(length / 2);
            open.push(second.to_vec());
            open.push(first.to_vec());
        }
    }
}

/// The text with these edits, without those that the compiler does not like.
pub fn compiled(
    trial: Trial<'_>,
    source: Source<'_>,
    edits: &[Edit],
    numbers: &[usize],
    screened: &mut Screened,
) -> Option<(Schema, Built)> {
    let mut numbers: Vec<usize> = numbers.to_vec();
    for round in 0..ROUNDS {
        let text = schema(source.syntax, source.dialect, edits, &numbers, &[]);
        if round == 0 {
            let apart = numbers.iter().filter(|&&it| text.choices[it].is_empty());
            screened.apart.extend(apart);
        }
        numbers.retain(|&it| !text.choices[it].is_empty());
        if numbers.is_empty() {
            return None;
        }
        let outcome = trial.build.build(source.file, &text.text);
        trial.stop.spend(1, COMPILE);
        trial.stop.spend(numbers.len(), COMPILE_EDIT);
        let disliked = disliked(&text, &outcome.complaints);
        let before = numbers.len();
        numbers.retain(|it| !disliked.contains(it));
        screened.rejected += before - numbers.len();
        match outcome.built {
            Some(built) => {
                let mut text = text;
                disliked.iter().for_each(|&it| text.choices[it].clear());
                return Some((text, built));
            }
            None if before == numbers.len() => return None,
            None => {}
        }
    }
    None
}

/// The edits on whose lines the compiler has something to say that it does not say of the program as written.
fn disliked(schema: &Schema, complaints: &[crate::build::Complaint]) -> FxHashSet<usize> {
    let placed: Vec<(Option<usize>, &crate::build::Complaint)> =
        complaints.iter().map(|it| (schema.edit_on_line(it.line), it)).collect();
    let usual: BTreeSet<&str> =
        placed.iter().filter(|(edit, _)| edit.is_none()).map(|(_, it)| it.text.as_str()).collect();
    let is_new = |it: &crate::build::Complaint| it.is_error || !usual.contains(it.text.as_str());
    placed.into_iter().filter(|(_, it)| is_new(it)).filter_map(|(edit, _)| edit).collect()
}

/// How many instructions each test may take. None if a test does not end as it does in the program as written; what takes long
/// to see is not looked at, as it is seen later, when the texts of solutions are run.
pub fn limits(trial: Trial<'_>, runnable: Runnable<'_>) -> Option<Vec<u64>> {
    let (mut limits, mut effort) = (Vec::new(), 0);
    for (number, test) in trial.tests.iter().enumerate() {
        let mut usual = test.instructions;
        if effort <= EFFORT_OF_LIMITS || number == 0 {
            // What passes has to end in a text that is larger by all that is not chosen.
            let times = if number < trial.failing { 10 } else { 40 };
            let ran = runnable.run(&test.input, &[], times * usual + MORE, trial.stop);
            effort += ran.instructions;
            // A run that does not end fails.
            if matches!(ran.end, End::Passed(_)) == (number < trial.failing) {
                return None;
            }
            if ran.end != End::Cut {
                usual = usual.max(ran.instructions);
            }
        }
        limits.push(PATIENCE * usual + MORE);
    }
    spend(trial.stop, limits.len(), effort);
    Some(limits)
}

/// Runs the tests with each of these edits chosen.
fn tried(
    trial: Trial<'_>,
    schema: &Schema,
    built: &Built,
    limits: &[u64],
    numbers: &[usize],
) -> Vec<Tally> {
    let runnable = Runnable::new(&built.program, &built.engine);
    let one = |&number: &usize| tally(trial, runnable, number, &schema.choices[number], limits);
    let mut found: Vec<Tally> = Vec::new();
    for round in numbers.chunks(ROUND) {
        if trial.stop.requested() {
            break;
        }
        let tallies = in_parallel(trial.jobs, round, &one);
        let instructions: u64 = tallies.iter().map(|it| it.instructions).sum();
        spend(trial.stop, tallies.len(), instructions);
        found.extend(tallies);
    }
    found
}

/// Counts runs as work.
pub fn spend(stop: &Stop, runs: usize, instructions: u64) {
    stop.spend(runs, RUN);
    stop.spend(
        1,
        INSTRUCTION.saturating_mul(u32::try_from(instructions / 1024).unwrap_or(u32::MAX)),
    );
}

/// How the tests end with an edit, for which these are the choices. None if there was no time.
pub fn tally(
    trial: Trial<'_>,
    runnable: Runnable<'_>,
    edit: usize,
    choices: &[Choice],
    limits: &[u64],
) -> Option<Tally> {
    let mut tally = Tally { edit, fixed: 0, broken: None, right: 0, instructions: 0 };
    let mut all_pass = true;
    for (number, test) in trial.tests.iter().enumerate() {
        if trial.stop.requested() {
            return None;
        }
        let is_failing = number < trial.failing;
        if tally.fixed == 0 && (number >= MOST_HOPELESS || !is_failing) {
            break;
        }
        let ran = runnable.run(&test.input, choices, limits[number], trial.stop);
        tally.instructions += ran.instructions;
        // What does not even end will not be the one that repairs others.
        if tally.fixed == 0 && ran.end == End::Cut {
            break;
        }
        match (ran.end.passed(), is_failing) {
            (true, true) => tally.fixed += 1,
            (false, true) if all_pass => (all_pass, tally.right) = (false, ran.right),
            (false, false) => {
                tally.broken = Some(number);
                break;
            }
            _ => {}
        }
    }
    Some(tally)
}

/// What a function gives for each item, in their order; items for which it gives nothing are left out.
pub fn in_parallel<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    one: &(dyn Fn(&T) -> Option<R> + Sync),
) -> Vec<R> {
    if jobs < 2 || items.len() < 2 {
        return items.iter().filter_map(one).collect();
    }
    // Neighbours are alike, so each thread takes every so-many-th.
    let parts: Vec<Vec<(usize, R)>> = thread::scope(|scope| {
        let start = |first: usize| {
            let own = items.iter().enumerate().skip(first).step_by(jobs);
            scope.spawn(move || own.filter_map(|(n, it)| Some((n, one(it)?))).collect())
        };
        let started: Vec<_> = (0..jobs).map(start).collect();
        started
            .into_iter()
            .filter_map(|it: thread::ScopedJoinHandle<'_, _>| it.join().ok())
            .collect()
    });
    let mut all: Vec<(usize, R)> = parts.into_iter().flatten().collect();
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Tries an edit in a text of its own.
pub fn screen_apart(
    trial: Trial<'_>,
    source: Source<'_>,
    edit: &Edit,
    number: usize,
) -> Option<Tally> {
    let text = applied(&source.syntax.text, &edit.replacements);
    let outcome = trial.build.build(source.file, &text);
    trial.stop.spend(1, COMPILE);
    let built = outcome.built?;
    let runnable = Runnable::new(&built.program, &built.engine);
    let limits: Vec<u64> = trial.tests.iter().map(|it| PATIENCE * it.instructions + MORE).collect();
    tally(trial, runnable, number, &[], &limits)
}
