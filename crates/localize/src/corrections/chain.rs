//! Several statements, one after the other.
//!
//! Two faults often have two failures: who prevents the first comes to the second. So before all ways are tried that several free statements open
//! together, one of them prevents the failure, with as few other values as possible. What it does then is kept, and the others are changed from
//! there on. That finds a correction, or nothing is known.

use failure::Forced;
use rustc_hash::FxHashMap;
use term::{Term, Value};

use super::Spot;
use super::explore::{Decision, Effort, Explorer};
use super::runs::{Asked, Kind, Run};
use super::search::{Search, prefix};
use super::solve::Solved;

/// So many failures are prevented by the first statement.
const MOST_FAILURES: usize = 3;

impl Explorer<'_> {
    /// A change with which the test passes, if one is found like this: for each statement that may be the first, so much is done.
    pub fn one_by_one(&mut self, spots: &[Spot], effort: Effort) -> Option<Vec<Forced>> {
        for (at, &first) in spots.iter().enumerate() {
            let mut others = spots.to_vec();
            others.remove(at);
            let mut run = self.run(Vec::new()).ok()??;
            for _ in 0..MOST_FAILURES {
                let Some(forced) = self.preventing(&run, first) else { break };
                run = match self.run(forced.clone()) {
                    Ok(Some(run)) => run,
                    Ok(None) => return Some(self.fewest(spots, forced)),
                    Err(_) => break,
                };
                let after = self.context.settings.corrections.merged_after;
                let mut search = Search::from(forced, after);
                if let Decision::Repairs(forced) = self.search(&others, effort, &mut search) {
                    return Some(self.fewest(spots, forced));
                }
            }
        }
        None
    }

    /// What must be forced upon a statement such that a run does not fail where it does.
    fn preventing(&mut self, run: &Run, spot: Spot) -> Option<Vec<Forced>> {
        let asked = Asked { spots: &[spot], pointers: &[], stays: false, others: &[] };
        let influence = run.influence(self.failure.program, &mut self.terms, asked);
        let (last, earlier) = influence.points.split_last()?;
        let Kind::Decides(fails) = last.kind else { return None };
        if influence.lost.is_some() || last.step + 1 != run.course.trace().steps.len() {
            return None;
        }
        let mut conditions: Vec<Term> =
            earlier.iter().filter_map(|point| point.kind.condition()).collect();
        let now: FxHashMap<Term, Value> = run.values_of(&influence, &self.terms);
        let goal = self.terms.not(fails);
        let solved = self.solving.solve(&mut self.terms, &conditions, &[goal], &now);
        let Solved::Values(values) = solved else { return None };
        conditions.push(goal);
        Some(prefix(run, &influence, last, &conditions, &values, &[], &self.terms))
    }
}
