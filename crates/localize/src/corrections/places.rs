//! Where assignments may be missing in a run, and where else the same could be set.

use std::collections::BTreeMap;

use failure::Forced;
use program::SiteId;

use super::Spot;
use super::explore::Explorer;

impl Explorer<'_> {
    /// Where an assignment may be missing in the failing run, and the assignments that are read from there.
    pub fn insertions(&mut self) -> Vec<(Spot, Vec<SiteId>)> {
        match self.run(Vec::new()) {
            Ok(Some(run)) => run.insertions(self.failure.program, &self.terms),
            _ => Vec::new(),
        }
    }

    /// Where else the same could be set, by the statement before which it would be.
    pub fn elsewhere(&mut self, forced: &[Forced]) -> BTreeMap<SiteId, Vec<Forced>> {
        // A run that passes has no trace. But one without the last part of the change is the same up to there.
        let mut before = forced;
        while let Some((_, fewer)) = before.split_last() {
            before = fewer;
            if let Ok(Some(run)) = self.run(before.to_vec()) {
                return run.course.elsewhere(self.failure.program, forced, &self.terms);
            }
        }
        BTreeMap::new()
    }

    /// The statement that a site is a part of, or is.
    pub fn statement(&self, site: SiteId) -> SiteId {
        self.known.statements.whole(site)
    }

    /// Whether the test passes if this is set, all of it before a statement. What is set earlier than it was may have led elsewhere.
    pub fn passes(&mut self, forced: &[Forced], before: SiteId) -> bool {
        if !matches!(self.run(forced.to_vec()), Ok(None)) {
            return false;
        }
        let mut forced = forced;
        while let Some((_, fewer)) = forced.split_last() {
            match self.run(fewer.to_vec()) {
                Ok(Some(run)) => {
                    let program = self.failure.program;
                    return forced.iter().all(|one| run.course.is_set_before(program, one, before));
                }
                Ok(None) => forced = fewer,
                Err(_) => return false,
            }
        }
        false
    }
}
