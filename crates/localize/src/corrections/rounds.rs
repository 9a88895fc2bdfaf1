//! The same decision, several times in a row.
//!
//! Often a test passes if a loop goes round some more times: it reads what else there is, or fills an array. No round by itself does
//! any good, so this way is as good as any other of those that free statements open, and they are too many. So
//! before all are tried, one decision is changed, and those that follow at the same place in the same way: once, twice, and so on.
//! Then each failure is prevented by values, as long as there are some. That finds a correction, or nothing is known.

use failure::Forced;
use program::EdgeId;

use super::Spot;
use super::effort::Effort;
use super::explore::Explorer;
use super::open::{Came, Open};
use super::runs::{Kind, Point};

/// What is found like this.
#[derive(Debug, PartialEq)]
pub(super) enum Rounds {
    Repair(Vec<Forced>),
    /// Nothing, and more would not be tried with more effort.
    Nothing,
    Unfinished,
}

/// So often in a row.
const MOST_ROUNDS: u32 = 32;
/// So many failures are prevented, one after the other.
const MOST_FAILURES: usize = 64;
/// After the first rounds, not after each of them.
const FIRST_ROUNDS: u32 = 4;
/// This part of the questions and of the work may be for one decision.
const PART: u32 = 8;

impl Explorer<'_> {
    /// A change with which the test passes, if one is found like this. The last decisions come first. Runs may be as long as they
    /// might be at the beginning.
    pub fn several_rounds(&mut self, spots: &[Spot], effort: Effort) -> Rounds {
        self.keeps = false;
        self.for_long(|explorer| match explorer.each_way(spots, effort) {
            Rounds::Repair(forced) => Rounds::Repair(explorer.fewest(spots, forced)),
            nothing => nothing,
        })
    }

    fn each_way(&mut self, spots: &[Spot], effort: Effort) -> Rounds {
        let most = self.spent().and(effort);
        let mut is_through = true;
        let Came::Open(first) = self.came_of(Vec::new(), spots) else { return Rounds::Nothing };
        for (number, point) in first.points().iter().enumerate().rev() {
            let ways = match &point.kind {
                Kind::Free { others, .. } => others.iter().copied().map(Some).collect(),
                Kind::Decides(_) => vec![None],
                _ => continue,
            };
            for way in ways {
                if self.spent().exceeds(most) || self.context.stop.requested() {
                    return Rounds::Unfinished;
                }
                let most = self.spent().and(effort.part(PART));
                if let Some(forced) = self.rounds(&first, number, way, spots, most) {
                    return Rounds::Repair(forced);
                }
                is_through &= !self.spent().exceeds(most);
            }
        }
        if is_through { Rounds::Nothing } else { Rounds::Unfinished }
    }

    /// From a point on, a decision goes another way, several times; until so much has been done for all sets.
    fn rounds(
        &mut self,
        first: &Open,
        number: usize,
        way: Option<EdgeId>,
        spots: &[Spot],
        most: Effort,
    ) -> Option<Vec<Forced>> {
        let mut at = first.points()[number].at;
        let taken = first.taken(&first.points()[number])?;
        let mut forced = first.otherwise(self, number, way)?;
        for round in 1..=MOST_ROUNDS {
            let open = match self.came_of(forced, spots) {
                Came::Passed(forced) => return Some(forced),
                Came::Open(open) => open,
                Came::Lost => return None,
            };
            let is_next = |point: &Point| point.at > at && open.taken(point) == Some(taken);
            let next = open.points().iter().position(is_next);
            let more = next.and_then(|next| open.otherwise(self, next, way));
            at = next.map_or(at, |next| open.points()[next].at);
            if (round <= FIRST_ROUNDS || round.is_power_of_two() || more.is_none())
                && let Some(forced) = self.all_prevented(open, spots, most)
            {
                return Some(forced);
            }
            if self.spent().exceeds(most) {
                return None;
            }
            forced = more?;
        }
        None
    }

    /// The failure of a run is prevented by values, then the next one, and so on, until the test passes.
    fn all_prevented(
        &mut self,
        mut open: Open,
        spots: &[Spot],
        most: Effort,
    ) -> Option<Vec<Forced>> {
        for _ in 0..MOST_FAILURES {
            if self.spent().exceeds(most) {
                return None;
            }
            let forced = open.prevented(self)?;
            match self.came_of(forced, spots) {
                Came::Passed(forced) => return Some(forced),
                Came::Open(next) => open = next,
                Came::Lost => return None,
            }
        }
        None
    }
}
