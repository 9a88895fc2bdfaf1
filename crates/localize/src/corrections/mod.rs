//! Corrections: the sets of statements whose change can make failing tests pass.
//!
//! *What a change is.* A statement is *free* if each of its executions may do anything: an assignment assigns any value, a
//! condition decides in any way, a call that prints prints anything. A set of statements is a *correction* of a test if
//! some execution in which they are free, and all else is as the program says, comes to the end of the program
//! with nothing wrong. Statements are those of the source: one that is executed a hundred times is one. It is a
//! correction of several tests if it is one of each; the values may differ.
//!
//! Corrections are upward closed, so the minimal ones say all. They are enumerated by size. Whoever fixes the program by changing the values of
//! existing statements changes a correction: a statement that is in none of them is not the fault alone.
//!
//! *How it is decided.* See [`explore`] for one set and one test, [`merge`] for why that ends in loops, [`sets`] for the
//! enumeration.
//!
//! *Missing code.* An assignment may be missing before a statement that reads a variable. That is tried, too, for scalars, one at a
//! time; what is found is kept apart. See [`missing`] for the places where it could be.
//!
//! *Limits.* Runs may be longer than the failing one, but not much. Checks, and what the library does, are not changed. A
//! pointer is changed to null, or to one that the failing run has had. If too many paths would have to be tried for a set, the
//! short ones are, and the answer says up to which length. If not even those can be tried that are as long as the failing run,
//! and one that passes, the set is undecided, and counted as such.

mod chain;
mod course;
mod cover;
mod effort;
mod explore;
mod few;
mod knowledge;
mod merge;
mod missing;
mod names;
mod open;
mod passing;
mod places;
mod rounds;
mod runs;
mod search;
mod segments;
mod sets;
mod solve;
mod spare;
#[cfg(test)]
mod tests;

use std::time::Duration;

use failure::{Ended, Failure, Force, Forced};
use program::{FailureKind, Program, SiteId};
use term::Value;

pub use self::missing::{Insertion, Settable};
pub use self::passing::Observed;
pub use self::sets::{corrections, find_corrections};

/// What can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// What a statement assigns, decides or prints.
    Change(SiteId),
    /// An assignment that is missing before a statement.
    Insert { before: SiteId, variable: Settable },
}

impl Spot {
    pub fn site(self) -> SiteId {
        match self {
            Spot::Change(site) | Spot::Insert { before: site, .. } => site,
        }
    }

    /// What would be assigned.
    pub fn variable(self) -> Option<Settable> {
        match self {
            Spot::Change(_) => None,
            Spot::Insert { variable, .. } => Some(variable),
        }
    }
}

/// A minimal set of statements that can be changed such that the failing tests pass.
#[derive(Clone, Debug)]
pub struct Correction {
    /// In the order of the program.
    pub spots: Vec<Spot>,
    /// For each failing test, a change with which it passes.
    pub witnesses: Vec<Witness>,
    /// That no part of it is enough.
    pub minimality: Minimality,
}

/// Who says that a set is minimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minimality {
    /// Nobody: a part of it is undecided.
    Open,
    /// The technique.
    Claimed,
    /// The judge, too.
    Confirmed,
}

/// A change with which a test passes.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What is forced upon the run: see [`Failure::rerun`].
    pub forced: Vec<Forced>,
    /// The same, by statement.
    pub needed: Vec<Needed>,
}

impl Witness {
    /// Something is set before a statement.
    fn set(spot: Spot, forced: Vec<Forced>) -> Witness {
        let first = forced.iter().find_map(|forced| match &forced.what {
            Force::Set { value, .. } => Some((forced.at, value.clone())),
            _ => None,
        });
        let (executions, contradicted) = (forced.len(), None);
        let needed = first.map(|(at, now)| {
            let instead = Instead::Value { at, was: None, now };
            Needed { spot, instead, executions, contradicted }
        });
        Witness { forced, needed: needed.into_iter().collect() }
    }

    /// Whether it is known of all that is forced which statement it changes.
    fn is_told(&self) -> bool {
        let told: usize = self.needed.iter().map(|needed| needed.executions).sum();
        told == self.forced.len()
    }
}

/// What a statement does instead, the first time that it does something else.
#[derive(Clone, Debug)]
pub struct Needed {
    pub spot: Spot,
    pub instead: Instead,
    /// In how many executions it does something else.
    pub executions: usize,
    /// The number of a passing test in which it reads the same values, and does something else.
    pub contradicted: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instead {
    /// It assigns this value, at an index of the path. What it was before is known if it was executed in the failing run.
    Value { at: usize, was: Option<Value>, now: Value },
    /// It decides otherwise.
    Decision,
    /// It prints what is expected.
    Output,
}

/// A set that could not be decided.
#[derive(Clone, Debug)]
pub struct Undecided {
    pub spots: Vec<Spot>,
    pub why: &'static str,
}

#[derive(Clone, Debug, Default)]
pub struct Corrections {
    /// The smallest first, then those that no passing test speaks against, then in the order of the program.
    pub sets: Vec<Correction>,
    /// Assignments that may be missing: each makes the tests pass. They are looked for by themselves, not together with
    /// changes. Of several statements that read what the same assignments have assigned, it is before the first with which they pass.
    pub insertions: Vec<Insertion>,
    /// Statements of which every correction of up to `size` statements contains at least one: as few as possible.
    /// None if that is not known, because something is undecided.
    pub must: Option<Vec<Spot>>,
    /// All sets of up to so many statements were looked at, except for those that are undecided.
    pub size: usize,
    pub undecided: Vec<Undecided>,
    /// That there are no others, and that no part of them is enough, is said of runs with up to so many instructions; for each
    /// test. And so many the failing ones have.
    pub lengths: Vec<u64>,
    pub failing: Vec<u64>,
    /// Whether pointers were changed: not to all that there are.
    pub pointers: bool,
    /// How many failing tests they are corrections of.
    pub tests: usize,
    pub queries: u64,
    pub runs: u64,
}

/// What the user wants, and gives.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The largest sets that are looked for.
    pub size: usize,
    /// If there are sets of some size, larger ones are not looked for.
    pub smallest: bool,
    /// What was seen in passing tests.
    pub passing: Observed,
    /// How many instructions the longest passing test takes; 0 if there is none.
    pub usual: u64,
    /// After so many runs for a set, ways are looked for that come to the same: see [`merge`].
    pub merged_after: usize,
    /// After so many runs for a set, it is enough to know about those that are as long as the failing one, and one that passes.
    pub many: usize,
    /// After so much work, runs are followed no longer than need be to say something. After half of it, for twice as long; and so on.
    pub for_long_runs: Duration,
}

const MANY: usize = 2_000;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            size: 2,
            smallest: false,
            passing: Observed::default(),
            usual: 0,
            merged_after: 8,
            many: MANY,
            for_long_runs: Duration::from_secs(1),
        }
    }
}

impl Correction {
    /// Whether it is an assignment that is missing, not a change.
    pub fn is_insertion(&self) -> bool {
        self.spots.iter().any(|spot| matches!(spot, Spot::Insert { .. }))
    }

    /// How many of its statements do something else in a passing test, with the same values.
    pub fn contradictions(&self) -> usize {
        let needed = || self.witnesses.iter().flat_map(|witness| &witness.needed);
        let contradicted =
            |spot: Spot| needed().any(|n| n.spot == spot && n.contradicted.is_some());
        self.spots.iter().filter(|&&spot| contradicted(spot)).count()
    }
}

impl Corrections {
    /// Adds a set, or a place of the last assignment that is missing. Known sets of which it is a part are not minimal.
    pub fn add(&mut self, new: Correction) {
        if new.is_insertion() {
            if let Some(last) = self.insertions.last_mut() {
                last.places.push(new);
            }
            return;
        }
        let is_part = |of: &[Spot]| new.spots.iter().all(|spot| of.contains(spot));
        self.sets.retain(|known| !is_part(&known.spots));
        self.undecided.retain(|open| !is_part(&open.spots));
        self.sets.push(new);
    }

    /// Whether the sets are all that there are, up to the size.
    pub fn complete(&self) -> bool {
        self.undecided.is_empty()
    }

    /// How responsible a statement is, as in Chockler and Halpern (2004): one divided by the number of statements that have
    /// to be changed, if this is one of them.
    pub fn responsibility(&self, spot: Spot) -> Option<f64> {
        let mut minimal = self.sets.iter().filter(|set| set.minimality != Minimality::Open);
        let smallest = minimal.find(|set| set.spots.contains(&spot))?;
        Some(1.0 / smallest.spots.len() as f64)
    }
}

/// How much longer than the failing run, or the longest passing one, others may be: so many times, and so many instructions.
const LONGER: (f64, u64) = (1.6, 80);
/// The latter if no test passes: the failing run may have ended early.
const UNTESTED: u64 = 1_600;

/// What a failing run would have done after its failure is a measure if it is no more than this.
const MOST_AFTER: u64 = 100_000;

/// How many instructions a failing run has that has failed after so many: it may have ended early, where something wrong was printed.
pub(crate) fn whole(failure: &Failure<'_>, failing: u64) -> u64 {
    failing.max(failure.length(failing.saturating_add(MOST_AFTER)).unwrap_or(0))
}

/// A pointer to a text is changed to one of so many others at most.
const MOST_TEXTS: usize = 12;

/// What a pointer is changed to, if the run had these: to one of them, or if it points to a text of the program, to another.
pub(crate) fn other_pointers(program: &Program, had: &[Value], value: &Value) -> Vec<Value> {
    let mut others: Vec<Value> = had.iter().filter(|other| *other != value).cloned().collect();
    let texts = program.texts().map(|address| Value::bitvec(64, u128::from(address)));
    let texts: Vec<Value> = texts.collect();
    if texts.contains(value) {
        let is_new = |text: &Value| text != value && !had.contains(text);
        others.extend(texts.into_iter().filter(is_new).take(MOST_TEXTS));
    }
    others
}

impl Settings {
    /// How many instructions a run with changes may have, if the failing run has so many, and ends like this.
    pub fn longest(&self, failing: u64, end: Ended) -> u64 {
        let more = if self.usual == 0 { UNTESTED } else { LONGER.1 };
        let longest = match end {
            // It went on for as long as it could. That is no measure, if there is another.
            Ended::Cut | Ended::Failed { kind: FailureKind::StackOverflow, .. }
                if self.usual > 0 =>
            {
                self.usual
            }
            _ => failing.max(self.usual),
        };
        ((longest as f64 * LONGER.0) as u64).saturating_add(more)
    }
}
