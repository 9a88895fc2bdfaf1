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
    /// By fingerprint.
    known: FxHashMap<u64, Vec<Known>>,
    /// Whether some run was too long.
    pub some_are_cut: bool,
    /// Whether a run was not followed because another came to the same state, but later.
    pub relies_on_later: bool,
}

struct Known {
    /// The values that depend on symbols, and the conditions about these.
    values: Vec<Term>,
    conditions: Vec<Term>,
    /// Whether the symbols have new names. Most states are seen once, and need none.
    is_renamed: bool,
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
        conditions: Vec<Term>,
    ) -> bool {
        let (values, effort) = (values.to_vec(), state.effort);
        let mut own = Known { values, conditions, is_renamed: false, effort };
        let known = self.known.entry(state.fingerprint).or_default();
        for other in known.iter_mut() {
            own.rename(terms);
            other.rename(terms);
            if own.values != other.values || !other.has_fewer_conditions(&own) {
                continue;
            }
            if other.effort <= effort {
                return true;
            }
            if !self.some_are_cut {
                self.relies_on_later = true;
                return true;
            }
        }
        known.push(own);
        false
    }
}

impl Known {
    fn rename(&mut self, terms: &mut Terms) {
        if !self.is_renamed {
            let all: Vec<Term> = self.values.iter().chain(&self.conditions).copied().collect();
            let (mut all, _) = renamed(terms, &all);
            self.conditions = all.split_off(self.values.len());
            self.conditions.sort_unstable();
            self.values = all;
            self.is_renamed = true;
        }
    }

    /// Whether what holds here holds there, too. Both are renamed.
    fn has_fewer_conditions(&self, than: &Known) -> bool {
        self.conditions.iter().all(|condition| than.conditions.binary_search(condition).is_ok())
    }
}
