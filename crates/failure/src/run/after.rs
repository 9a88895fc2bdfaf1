//! A run with a change, wherever it leads: what comes of it.

use program::Stop;
use program::process::{Host, Limits, Observer, Outcome, Process, Scalar};

use super::job::{Job, finished};
use crate::replay::After;

/// How much longer than the failing run it may be: so many times, and so many instructions.
const LONGER: (u64, u64) = (2, 100_000);

/// Lets a process go on with another value: the one with this number, counted from here.
pub(super) fn run_on<W: Host>(
    job: &Job<'_>,
    (mut process, mut world): (Process<'_>, W),
    number: u32,
    value: Scalar,
    failing: u64,
) -> (After, u64) {
    let longest = failing.saturating_mul(LONGER.0).saturating_add(LONGER.1);
    let limits = Limits { instructions: longest.min(job.limits.instructions), ..job.limits };
    let before = process.instructions();
    let mut change = Other { left: Some(number), value };
    let outcome = process.run(&mut world, &mut change, limits, &Stop::default());
    let after = match finished(outcome, &process, &mut world) {
        Outcome::Finished { .. } => After::Passes,
        Outcome::Failed { edge, fault } => {
            After::Fails { kind: fault.kind, site: job.program.edge(edge).site }
        }
        Outcome::Blocked { .. } | Outcome::StepLimit { .. } | Outcome::Stopped => After::Unknown,
    };
    (after, process.instructions() - before)
}

/// Assigns one other value.
struct Other {
    /// How many values come before it.
    left: Option<u32>,
    value: Scalar,
}

impl Observer for Other {
    const ACTIVE: bool = true;

    fn value(&mut self, value: Scalar, _: u32) -> Scalar {
        match self.left {
            None => value,
            Some(0) => {
                self.left = None;
                self.value
            }
            Some(more) => {
                self.left = Some(more - 1);
                value
            }
        }
    }
}
