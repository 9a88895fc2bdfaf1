//! How much is done.

use std::time::Duration;

/// How much is done for a set of statements, all in all.
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

    /// One of so many parts.
    pub fn part(self, of: u32) -> Effort {
        let Effort { runs, queries, work } = self;
        Effort { runs: runs / of as usize, queries: queries / u64::from(of), work: work / of }
    }
}
