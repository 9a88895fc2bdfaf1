//! What speaks for and against a line, and how much.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The points for each clue, as they were fitted.
const WEIGHTS: &str = include_str!("weights.txt");
/// Those for solutions, as they were chosen.
const FIXES: &str = include_str!("fixes.txt");

macro_rules! clues {
    ($($variant:ident, $name:literal, $meaning:literal;)*) => {
        /// Something that is known about a line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Clue {
            $(#[doc = $meaning] $variant,)*
        }

        impl Clue {
            pub const ALL: &[Clue] = &[$(Clue::$variant,)*];

            /// The stable name, as in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Clue::$variant => $name,)* }
            }

            /// What it means, in words.
            pub fn meaning(self) -> &'static str {
                match self { $(Clue::$variant => $meaning,)* }
            }
        }
    };
}

clues! {
    // Edits that were run.
    Repairs, "repairs", "its share of the edits with which the tests pass, the likely ones counting more";
    Nearest, "nearest", "how likely its best edit is, next to the best of all";
    Fixes, "fixes", "how many edits of it make the tests pass";
    Inserts, "inserts", "something inserted there makes the tests pass: its share";
    AsBefore, "as-before", "with an edit of it, inputs like the failing one pass, and the others do what they did";
    RepairsAlone, "repairs-alone", "`repairs`, if there is one test only";
    NearestAlone, "nearest-alone", "`nearest`, if there is one test only";
    FixesAlone, "fixes-alone", "`fixes`, if there is one test only";
    InsertsAlone, "inserts-alone", "`inserts`, if there is one test only";
    Helps, "helps", "no edit passes all tests, but with one of it some failing tests pass";
    Breaks, "breaks", "with edits of it the failing tests pass, but then others fail";
    Edits, "edits", "there are many ways to edit it";
    // The run.
    Executed, "executed", "the failing run executed it";
    Skipped, "skipped", "no failing test executes it, but the decision around it is executed";
    Late, "late", "the later it was executed last";
    Often, "often", "the more often it was executed";
    Position, "position", "the later in the file";
    Spectrum, "spectrum", "failing tests execute it more often than passing ones";
    Slice, "slice", "the failure depends on it";
    Data, "data", "the failure depends on what it computed";
    Chain, "chain", "the nearer it is to the failure, from value to value";
    // What is written there.
    Output, "output", "it prints";
    Input, "input", "it reads input";
    Condition, "condition", "it decides";
    Loop, "loop", "it begins a loop";
    Compound, "compound", "its condition has several parts";
    Declaration, "declaration", "it declares a variable";
    Global, "global", "it declares a global variable";
    Defines, "defines", "it defines a macro";
    Returns, "returns", "it returns";
    Jumps, "jumps", "it jumps: `break`, `continue`, `goto`";
    Sized, "sized", "it declares the size of an array, and an access fails";
    Unset, "unset", "it declares a variable without a value";
    Computes, "computes", "it computes something";
    Constant, "constant", "it assigns a constant";
    Copies, "copies", "it passes on a value as it is";
    Counts, "counts", "it counts";
    // Where it is.
    Driver, "driver", "it is in the first function of the program, and others are executed: often that is the test";
    Shared, "shared", "its function is called from many places";
    Active, "active", "it is a call that had not returned when the program failed";
    // The failure.
    Arithmetic, "arithmetic", "the arithmetic that fails is in it";
    Accesses, "accesses", "the access that fails is in it, or what else the program must not do";
    Checks, "checks", "it checks what is violated";
    Ends, "ends", "it ended the life of the object that is missed";
    Declares, "declares", "it declares or allocates what the failure is about";
    // Techniques.
    Cause, "cause", "it is in the tree of causes: the nearer to the root, the more";
    Decision, "decision", "it is a decision in the tree of causes";
    Confirmed, "confirmed", "the judge has seen what this decision changes";
    Relevant, "relevant", "another value would prevent the failure";
    Saves, "saves", "with another value nothing fails";
    OtherFailure, "other-failure", "another value would prevent the failure, but then something else fails";
    Irrelevant, "irrelevant", "it was executed, and no other value would prevent the failure";
    Needed, "needed", "it is needed to understand the failure";
    Guards, "guards", "it decides whether something is executed that is needed";
    Changed, "changed", "forced to do something else, the failing tests pass";
    ChangedOnce, "changed-once", "the same, and it has to do something else only once";
    ChangedOutput, "changed-output", "if it printed what is expected, nothing would fail";
    ChangedWay, "changed-way", "the same, and what is forced is a decision";
}

static POINTS: LazyLock<HashMap<&str, f64>> = LazyLock::new(|| {
    let lines = WEIGHTS.lines().chain(FIXES.lines()).filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).filter_map(read).collect()
});

fn read((name, points): (&'static str, &str)) -> Option<(&'static str, f64)> {
    Some((name, points.trim().parse().ok()?))
}

impl Clue {
    /// The points for one of it.
    pub fn weight(self) -> f64 {
        points(self.name())
    }
}

/// The points for what has this name.
pub fn points(name: &str) -> f64 {
    POINTS.get(name).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_that_of_a_clue() {
        let names: Vec<&str> = Clue::ALL.iter().map(|clue| clue.name()).collect();
        for line in WEIGHTS.lines().filter(|line| !line.starts_with('#')) {
            let read = line.split_once(' ').and_then(read);
            assert!(read.is_some_and(|(name, _)| names.contains(&name)), "{line}");
        }
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
    }
}
