//! What need not be forced.

use failure::Forced;

use super::Spot;
use super::explore::Explorer;

/// It is tried to spare each of so many values.
const MOST_SPARED: usize = 12;

impl Explorer<'_> {
    /// Leaves out what need not be forced.
    pub(super) fn fewest(&mut self, spots: &[Spot], forced: Vec<Forced>) -> Vec<Forced> {
        let mut forced = forced;
        if forced.len() > MOST_SPARED {
            return forced;
        }
        for at in (0..forced.len()).rev() {
            // What came after another may have been spared with it.
            if at >= forced.len() {
                continue;
            }
            let mut fewer = forced.clone();
            fewer.remove(at);
            if !self.pass(&fewer) {
                continue;
            }
            while fewer.split_last().is_some_and(|(_, before)| self.pass(before)) {
                fewer.pop();
            }
            if self.are_of(spots, &fewer) {
                forced = fewer;
            }
        }
        forced
    }

    fn pass(&mut self, forced: &[Forced]) -> bool {
        matches!(self.run(forced.to_vec()), Ok(None))
    }

    /// Whether all that is forced is forced upon these spots. Without a part of it, a run may go elsewhere, and have the
    /// values with the same numbers there.
    fn are_of(&mut self, spots: &[Spot], forced: &[Forced]) -> bool {
        let Some((_, before)) = forced.split_last() else { return true };
        // One that passes has no trace; but up to the last part, this is the same.
        let Ok(Some(run)) = self.run(before.to_vec()) else { return false };
        forced.iter().all(|one| {
            run.spot_of(self.failure.program, one, &self.terms)
                .is_some_and(|spot| spots.contains(&spot))
        })
    }
}
