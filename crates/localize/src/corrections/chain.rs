//! Several statements, one after the other.
//!
//! Two faults often have two failures: who prevents the first comes to the second. So before all ways are tried that several free statements open
//! together, one of them prevents the failure, with as few other values as possible. What it does then is kept, and the others are changed from
//! there on. That finds a correction, or nothing is known.

use failure::Forced;

use super::Spot;
use super::effort::Effort;
use super::explore::{Decision, Explorer};
use super::open::Came;
use super::search::Search;

/// So many failures are prevented by the first statement.
const MOST_FAILURES: usize = 3;

impl Explorer<'_> {
    /// A change with which the test passes, if one is found like this: for each statement that may be the first, so much is done.
    pub fn one_by_one(&mut self, spots: &[Spot], effort: Effort) -> Option<Vec<Forced>> {
        self.keeps = false;
        for (at, &first) in spots.iter().enumerate() {
            let mut others = spots.to_vec();
            others.remove(at);
            let mut came = self.came_of(Vec::new(), &[first]);
            for _ in 0..MOST_FAILURES {
                let Came::Open(open) = &came else { break };
                let Some(forced) = open.prevented(self) else { break };
                came = self.came_of(forced.clone(), &[first]);
                if let Came::Passed(forced) = came {
                    return Some(self.fewest(spots, forced));
                }
                let after = self.context.settings.corrections.merged_after;
                let mut search = Search::from(forced, after);
                if let Decision::Repairs(forced) = self.search(&others, effort, &mut search) {
                    return Some(self.fewest(spots, forced));
                }
            }
        }
        None
    }
}
