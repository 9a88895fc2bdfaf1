//! States that runs have met in.
//!
//! What a program can do from a state is tried once: a run that comes into a state in which another has been is not followed any
//! further. A state is where the run is, what is in memory and in the world, and the terms of the values that depend on what is free, with
//! all conditions about their symbols. Symbols are renamed, because it does not matter when their values were assigned. If the other
//! has fewer conditions, it tries more.
//!
//! *Lengths.* If runs may have so many instructions only, and the other came to the state later, it has fewer of them left. As long
//! as no run is too long, that does not matter. As soon as one is, it must have been there no later.

use failure::State;
use rustc_hash::FxHashMap;
use term::{Term, Terms};

use super::questions::renamed;

#[derive(Default)]
pub(super) struct Met {
    /// By fingerprint and values.
    known: FxHashMap<(u64, Vec<Term>), Vec<Known>>,
    /// Whether some run was too long.
    pub some_are_cut: bool,
    /// Whether a run was not followed because another came to the same state, but later.
    pub relies_on_later: bool,
}

struct Known {
    /// In order.
    conditions: Vec<Term>,
    effort: u64,
}

impl Met {
    /// If it is known that some are too long.
    pub fn with_lengths() -> Met {
        Met { some_are_cut: true, ..Met::default() }
    }

    /// Whether another run goes on from a state. If not, this one does from now on. The values are those of the state that depend on
    /// symbols, and the conditions are all that are about these.
    pub fn is_met(
        &mut self,
        terms: &mut Terms,
        state: &State,
        values: &[Term],
        conditions: &[Term],
    ) -> bool {
        let all: Vec<Term> = values.iter().chain(conditions).copied().collect();
        let (mut values_then_conditions, _) = renamed(terms, &all);
        let mut conditions = values_then_conditions.split_off(values.len());
        conditions.sort_unstable();
        conditions.dedup();
        let values = values_then_conditions;
        let known = self.known.entry((state.fingerprint, values)).or_default();
        let others = known.iter().filter(|other| {
            other.conditions.iter().all(|condition| conditions.binary_search(condition).is_ok())
        });
        let earliest = others.map(|other| other.effort).min();
        match earliest {
            Some(effort) if effort <= state.effort => return true,
            Some(_) if !self.some_are_cut => {
                self.relies_on_later = true;
                return true;
            }
            _ => {}
        }
        known.push(Known { conditions, effort: state.effort });
        false
    }
}
