//! What is claimed of edits: plain data.

use program::FailureKind;
use program::syntax::Range;

use crate::edit::Replacement;
use crate::judge::Verdict;
use crate::kinds::Kind;
use crate::runs::Input;

/// How good an edit is, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// All tests pass, and inputs near the failing one behave as they did if they passed, and pass if they failed.
    AsBefore,
    /// All tests pass.
    AllTests,
    /// All tests pass, but the edit writes down what this one test expects.
    OnlyThisTest,
    /// Some of the failing tests pass, with the right output, and so do all others. It is not known whether there are several faults.
    SomeTests,
    /// The failing tests pass, but others do not.
    BreaksOthers,
}

impl Grade {
    /// The stable name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Grade::AsBefore => "all-tests-neighbours-as-before",
            Grade::AllTests => "all-tests",
            Grade::OnlyThisTest => "fits-only-this-test",
            Grade::SomeTests => "some-failing-tests",
            Grade::BreaksOthers => "failing-tests-only",
        }
    }
}

/// An edit with which the failing tests pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub file: u32,
    pub replacements: Vec<Replacement>,
    /// The statement or expression that is edited.
    pub place: Range,
    /// What is written there, and what instead: enough of it to be understood. Nothing, if a statement is inserted or deleted.
    pub old: String,
    pub new: String,
    /// What is changed besides, if several edits are needed.
    pub more: Vec<Change>,
    pub kind: Kind,
    pub weight: u32,
    pub grade: Grade,
    /// How many tests were run, how many of them failed, and how many of these pass.
    pub tests: usize,
    pub failing: usize,
    pub fixed: usize,
    pub verdict: Verdict,
}

/// One of several edits that are made together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The statement or expression that is edited, and whether something is put in behind it.
    pub place: Range,
    pub is_behind: bool,
    pub old: String,
    pub new: String,
}

/// An input with which solutions behave differently.
#[derive(Clone, Debug)]
pub struct Apart {
    pub input: Input,
    /// What the user would give the program.
    pub says: String,
    /// At least two, in the order of the solutions.
    pub outcomes: Vec<Outcome>,
}

/// What some solutions do with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Their numbers, from 0.
    pub solutions: Vec<usize>,
    pub ending: Ending,
    pub output: Vec<u8>,
}

/// How a run ends, as one sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this status.
    Exits(i32),
    Fails(FailureKind),
    /// An assumption does not hold.
    Blocked,
    /// It takes much longer than the test does.
    Endless,
}

/// An edit that was tried, and what speaks for its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plausible {
    pub file: u32,
    pub place: Range,
    pub kind: Kind,
    pub weight: u32,
    pub grade: Grade,
    /// How many edits of its kind there are at its place.
    pub among: usize,
    /// Whether something new is put in, and nothing is changed.
    pub inserts: bool,
    /// How much inputs near the failing one speak against it, in units of weights.
    pub harm: u32,
}

/// What came of all edits of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    pub file: u32,
    pub place: Range,
    /// How many were run.
    pub edits: usize,
    /// With one of them, so many of the failing tests pass.
    pub fixed: usize,
    /// With how many of them all failing tests pass, and with how many of these others fail.
    pub repairing: usize,
    pub breaking: usize,
}

/// What came of trying edits.
#[derive(Clone, Debug, Default)]
pub struct Repair {
    /// The best first; if none passes all tests, those with which most failing tests pass. The text of each was compiled and run as it is.
    pub solutions: Vec<Solution>,
    /// What tells them apart, the best input first.
    pub apart: Vec<Apart>,
    /// All with which the failing tests pass, also those that were not compiled apart.
    pub plausible: Vec<Plausible>,
    /// The lines that failing tests execute, by file, in their order.
    pub executed: Vec<(u32, u32)>,
    /// How many tests fail without an edit, and by place what came of edits.
    pub failing: usize,
    pub places: Vec<Tried>,
    /// How many edits were run, how many there are, and how many the compiler refused.
    pub tried: usize,
    pub known: usize,
    pub rejected: usize,
    /// How many times several edits were tried together.
    pub together: usize,
    /// How many made the failing tests pass only because the check was avoided, or one test was.
    pub refused: usize,
    /// If none passes: where those are with which most failing tests pass, and how many these are.
    pub nearest: Option<(u32, Range, usize)>,
    /// How many neighbours fail likewise, pass, and are not judged.
    pub neighbours: [usize; 3],
}

impl Repair {
    /// Whether there was time for all edits.
    pub fn is_complete(&self) -> bool {
        self.tried + self.rejected >= self.known
    }
}
