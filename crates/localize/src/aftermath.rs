//! What comes of another value: does anything fail then?
//!
//! That a value prevents the failure says only that the run leaves its way. Often that is because something else fails before. So the
//! run is repeated with the value, and goes on to its end.

use std::cmp::Reverse;

use failure::{After, Change, Failure};
use program::SiteId;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::costs;
use crate::diagnose::StatementRelevance;
use crate::relevance::{Relevance, Verdict};

/// What came of the value with which a statement is relevant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aftermath {
    /// The number of the trace, and the step of it.
    pub trace: usize,
    pub step: usize,
    pub after: After,
}

/// So many executions of a statement are tried.
const MOST_TRIED: usize = 4;
/// All these runs together may have so many instructions.
const MOST_EFFORT: u64 = 60_000_000;

/// Finds out what comes of the values of relevant statements, one for each trace: of several executions, the last with
/// which nothing fails, or else the last.
pub(crate) fn find_aftermaths(
    failures: &[Failure<'_>],
    traces: &[Relevance],
    statements: &mut [StatementRelevance],
    context: Context<'_>,
) {
    let mut effort = 0;
    for (number, (failure, trace)) in failures.iter().zip(traces).enumerate() {
        if failure.run.is_none() {
            continue;
        }
        let mut instances: FxHashMap<(SiteId, failure::Part), Vec<Change>> = FxHashMap::default();
        for found in &trace.steps {
            let Verdict::Relevant { witness, .. } = &found.verdict else { continue };
            let of = &failure.trace.steps[found.step];
            if witness.execution.is_none() {
                instances.entry((of.site, of.part)).or_default().push(Change {
                    step: found.step,
                    at: of.at as usize,
                    number: 0,
                    value: witness.value.clone(),
                });
            }
        }
        let tried = |statement: &StatementRelevance| {
            let changes = instances.get(&(statement.site, statement.part));
            changes.map_or_else(Vec::new, |changes| some_of(changes))
        };
        let tried: Vec<Vec<&Change>> = statements.iter().map(tried).collect();
        let mut best: Vec<Option<Aftermath>> = vec![None; statements.len()];
        // One of each statement before the next of any; the latest, which take the least, first.
        'tries: for round in 0..MOST_TRIED {
            let of_round = tried.iter().enumerate();
            let of_round = of_round.filter_map(|(of, changes)| Some((*changes.get(round)?, of)));
            let mut of_round: Vec<(&Change, usize)> = of_round.collect();
            of_round.sort_by_key(|(change, _)| Reverse(change.step));
            for (change, of) in of_round {
                let best = &mut best[of];
                if best.is_some_and(|best| best.after == After::Passes) {
                    continue;
                }
                // Few as they are, they tell more than all that was decided before.
                if effort > MOST_EFFORT {
                    break 'tries;
                }
                let (after, instructions) = failure.run_on(change);
                effort += instructions;
                context.stop.spend(instructions as usize, costs::EDGE);
                if best.is_none() || after == After::Passes {
                    *best = Some(Aftermath { trace: number, step: change.step, after });
                }
            }
        }
        for (statement, best) in statements.iter_mut().zip(best) {
            statement.after.extend(best);
        }
    }
}

/// The last one, the first, and some between.
fn some_of(changes: &[Change]) -> Vec<&Change> {
    let last = changes.len().saturating_sub(1);
    let tried = MOST_TRIED.min(changes.len());
    let mut chosen: Vec<usize> = (0..tried).map(|i| last - last * i / (MOST_TRIED - 1)).collect();
    chosen.dedup();
    chosen.into_iter().map(|i| &changes[i]).collect()
}
