//! What an edit does to inputs near the failing one.
//!
//! Inputs are sorted by what the program as written does with them: it fails *likewise* (the same check), it *passes* (the
//! check was reached, and held), or nobody can say what is right (*unjudged*). A reference, if there is one, judges all of
//! them. An edit that repairs the failing test should repair most that fail likewise, and it must not keep the check from being
//! reached; what passed should go on as before: with the same status, the same output, and the same values where the check
//! reads them.

use std::hash::{Hash, Hasher};

use program::{FailureKind, Stop};
use rustc_hash::FxHasher;

use crate::neighbours::Neighbour;
use crate::runs::{End, Ran, Runnable};
use crate::schema::Choice;

/// What a neighbour is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It fails as the test does.
    Alike,
    Passing,
    /// Nobody says what is right.
    Unjudged,
}

/// A neighbour, and what the program as written does with it.
#[derive(Clone, Debug)]
pub struct Judged {
    pub neighbour: Neighbour,
    pub class: Class,
    pub before: Ran,
    /// How many instructions it may take.
    pub most: u64,
}

/// The check that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    pub kind: FailureKind,
    /// Whether it is noted when it is reached.
    pub is_watched: bool,
}

impl Check {
    /// Whether a run ends well only because the check was not reached.
    pub fn is_avoided(self, ran: &Ran) -> bool {
        self.must_be_reached() && ran.seen.is_empty()
    }

    /// Whether a run without it says nothing: the program itself says what should hold there.
    fn must_be_reached(self) -> bool {
        self.is_watched && self.kind.is_specified()
    }
}

/// What an edit does to the neighbours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How many fail likewise, how many of them pass now, and examples of those that do not.
    pub alike: usize,
    pub repaired: usize,
    pub still: Vec<String>,
    /// How many passed, how many of them behave otherwise now; how many and which fail.
    pub passing: usize,
    pub changed: usize,
    pub broken: usize,
    pub breaks: Vec<String>,
    /// How many of those of which it is known what is right do not do that.
    pub wrong: usize,
    /// How many others there are, and how many of them behave otherwise.
    pub others: usize,
    pub others_changed: usize,
    /// What tells apart edits that behave differently on some neighbour.
    pub signature: u64,
    /// The check is no longer reached where it failed.
    pub avoids: bool,
}

/// So many examples are named.
const MOST_EXAMPLES: usize = 3;

impl Verdict {
    /// That of an edit with which the check is not reached where it failed.
    pub fn avoiding() -> Verdict {
        Verdict { avoids: true, ..Verdict::default() }
    }

    /// Whether it does no more than to avoid the failure of one test.
    pub fn is_refused(&self) -> bool {
        self.avoids || 2 * self.repaired < self.alike || self.wrong > 0 && self.broken > 0
    }

    /// How much speaks against it, of what tests do not say, in units of weights: what else behaves otherwise is more likely to be
    /// wrong now than to have been wrong before.
    pub fn harm(&self) -> u32 {
        let share = |part: usize, of: usize, units: usize| (units * part).div_ceil(of.max(1));
        let harm = share(self.alike - self.repaired, self.alike, 40)
            + share(self.changed, self.passing, 24)
            + share(self.broken, self.passing + self.others, 200)
            + share(self.others_changed, self.others, 18);
        harm as u32
    }

    pub fn is_as_before(&self) -> bool {
        self.repaired == self.alike && self.changed == 0 && self.broken == 0
    }
}

/// Sorts neighbours by what the program as written does with them, which is compiled with everything unchosen.
pub fn classify(
    runnable: Runnable<'_>,
    check: Check,
    neighbours: Vec<Neighbour>,
    most: u64,
    stop: &Stop,
) -> Vec<Judged> {
    let mut judged = Vec::new();
    for neighbour in neighbours {
        if stop.raised() {
            break;
        }
        let before = runnable.run(&neighbour.input, &[], most, stop);
        let is_judged = neighbour.input.is_judged();
        let was_reached = !before.seen.is_empty();
        let class = match &before.end {
            End::Failed { .. } if is_judged => Class::Alike,
            End::Failed { kind, .. } if *kind == check.kind => {
                // Crashes of one kind in two places are two failures.
                match check.is_watched && !was_reached {
                    true => Class::Unjudged,
                    false => Class::Alike,
                }
            }
            End::Passed(_) if is_judged => Class::Passing,
            End::Passed(_) if was_reached && check.kind != FailureKind::WrongOutput => {
                Class::Passing
            }
            _ => Class::Unjudged,
        };
        let most = 4 * before.instructions + 10_000;
        judged.push(Judged { neighbour, class, before, most });
    }
    judged
}

/// What an edit does to neighbours. None if there was no time.
pub fn judge(
    runnable: Runnable<'_>,
    check: Check,
    judged: &[Judged],
    choices: &[Choice],
    stop: &Stop,
) -> Option<(Verdict, u64)> {
    let mut verdict = Verdict::default();
    let mut instructions = 0;
    let mut signature = FxHasher::default();
    for one in judged {
        if stop.raised() {
            return None;
        }
        let after = runnable.run(&one.neighbour.input, choices, one.most, stop);
        instructions += after.instructions;
        let example = |all: &mut Vec<String>| {
            if all.len() < MOST_EXAMPLES {
                all.push(one.neighbour.says.clone());
            }
        };
        let is_same = same(&one.before, &after, check);
        let is_judged = one.neighbour.input.is_judged();
        verdict.wrong += usize::from(is_judged && !after.end.passed());
        behaviour(&after).hash(&mut signature);
        match one.class {
            Class::Alike => {
                verdict.alike += 1;
                let reaches = is_judged || !check.must_be_reached() || !after.seen.is_empty();
                match after.end.passed() && reaches {
                    true => verdict.repaired += 1,
                    false => example(&mut verdict.still),
                }
            }
            Class::Passing => {
                verdict.passing += 1;
                if !after.end.passed() {
                    verdict.broken += 1;
                    example(&mut verdict.breaks);
                } else if !is_same && !is_judged {
                    verdict.changed += 1;
                }
            }
            Class::Unjudged => {
                verdict.others += 1;
                // Nobody wants a program that crashes where it did not.
                if one.before.end.passed() && matches!(after.end, End::Failed { .. } | End::Cut) {
                    verdict.broken += 1;
                    example(&mut verdict.breaks);
                } else if !is_same {
                    verdict.others_changed += 1;
                }
            }
        }
    }
    verdict.signature = signature.finish();
    Some((verdict, instructions))
}

/// What is seen of a run from outside.
fn behaviour(ran: &Ran) -> (u32, &[u8]) {
    let end = match &ran.end {
        End::Passed(status) => *status as u32 & 255,
        End::Failed { kind, .. } => 256 + *kind as u32,
        End::Blocked => 1_000,
        End::Cut => 1_001,
    };
    (end, &ran.output)
}

/// Whether two runs do the same, as far as anybody can see.
fn same(before: &Ran, after: &Ran, check: Check) -> bool {
    let is_same_end = match (&before.end, &after.end) {
        (End::Failed { kind, .. }, End::Failed { kind: other, .. }) => kind == other,
        (one, other) => one == other,
    };
    let is_seen_same = !check.is_watched || before.seen == after.seen;
    is_same_end && before.output == after.output && is_seen_same
}
