//! Slices of a failing run: the steps on which the failure depends.
//!
//! The *dynamic* slice is the smallest set of steps that contains the failing one (and, if an object is missed, the one
//! that ended its life) and, with each step, the definitions of what it reads (the variables in addresses included), its
//! guard, and what is pinned at its edge: the address of a string that is printed is in no other step. The *relevant* slice
//! also contains the decisions on whose other way something in the slice might have been assigned that was not, or
//! something printed that is missing: without them, the statement that should have run and did not is never seen.
//!
//! Both are found in one pass backwards. At any time the pass knows which variables are wanted: those
//! whose value at this point reaches the failure.

use std::collections::BTreeSet;

use failure::Failure;
use program::{SiteId, Trust};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use crate::flow::{Flow, Spot, spots};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omissions {
    Ignored,
    Followed,
}

/// The statements of the user in the slices of a failing run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slices {
    pub dynamic: Vec<SiteId>,
    /// All of the dynamic slice is in it.
    pub relevant: Vec<SiteId>,
}

pub fn slices(failure: &Failure<'_>) -> Slices {
    let flow = Flow::of(failure);
    let statements = |omissions| {
        let steps = failure.trace.steps.iter().zip(slice(&flow, omissions));
        let sites = steps.filter(|(_, included)| *included).map(|(step, _)| step.site);
        let own = sites.filter(|&site| failure.program.site(site).trust == Trust::User);
        own.collect::<BTreeSet<SiteId>>().into_iter().collect()
    };
    Slices { dynamic: statements(Omissions::Ignored), relevant: statements(Omissions::Followed) }
}

/// For each step of the trace, whether the last one depends on it.
pub fn slice(flow: &Flow<'_>, omissions: Omissions) -> Vec<bool> {
    let steps = &flow.failure.trace.steps;
    let mut included = vec![false; steps.len()];
    if let Some(last) = included.last_mut() {
        *last = true;
    }
    if let Some(ended) = flow.failure.trace.ended {
        included[ended] = true;
    }
    if omissions == Omissions::Followed {
        for decision in flow.missing_output() {
            included[decision] = true;
        }
    }
    let mut wanted = Wanted::default();
    let pinned = &flow.failure.trace.pinned;
    let mut last_edge = None;
    for (at, step) in steps.iter().enumerate().rev() {
        let place = step.action.place();
        let defines = place.is_some_and(|place| wanted.variables.contains(&place.variable));
        included[at] |= defines
            || last_edge == Some(step.at) && pinned.contains(&at)
            || omissions == Omissions::Followed
                && flow.is_decision(at)
                && flow.omitted(at).is_some_and(|omitted| {
                    spots(omitted).any(|spot| wanted.has(spot, step.frame.activation))
                });
        if !included[at] {
            continue;
        }
        last_edge = Some(step.at);
        if let Some(place) = place {
            wanted.remove(flow, place.variable);
        }
        for &variable in flow.reads(at) {
            wanted.add(flow, variable);
        }
        if let Some(guard) = flow.guard(at) {
            included[guard] = true;
        }
    }
    included
}

/// The variables that matter.
#[derive(Default)]
struct Wanted {
    variables: FxHashSet<Term>,
    /// How many of them count as a spot. Local variables count by activation.
    spots: FxHashMap<(Spot, Option<u32>), u32>,
}

impl Wanted {
    fn add(&mut self, flow: &Flow<'_>, variable: Term) {
        if self.variables.insert(variable) {
            *self.spots.entry(flow.spot(variable)).or_default() += 1;
        }
    }

    fn remove(&mut self, flow: &Flow<'_>, variable: Term) {
        if self.variables.remove(&variable)
            && let Some(count) = self.spots.get_mut(&flow.spot(variable))
        {
            *count -= 1;
        }
    }

    /// Whether something that counts as the spot is wanted, as seen from an activation.
    fn has(&self, spot: Spot, activation: u32) -> bool {
        let some = |key| self.spots.get(&key).is_some_and(|&count| count > 0);
        some((spot, None)) || some((spot, Some(activation)))
    }
}
