//! How much is done.

use std::time::Duration;

/// How much is done for a set of statements, or for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    pub runs: usize,
    pub queries: u64,
    pub work: Duration,
}

impl Effort {
    pub fn and(self, more: Effort) -> Effort {
        Effort {
            runs: self.runs + more.runs,
            queries: self.queries + more.queries,
            work: self.work + more.work,
        }
    }

    pub fn exceeds(self, most: Effort) -> bool {
        self.runs > most.runs || self.queries > most.queries || self.work > most.work
    }

    /// As many runs, but only a part of the questions and of the work.
    pub fn part(self, of: u32) -> Effort {
        Effort { queries: self.queries / u64::from(of), work: self.work / of, ..self }
    }
}
