//! The enumeration of corrections, by size.
//!
//! A set is looked at only if it can matter: of a set that is not a correction, one knows the statements on which it
//! depends how the runs fail that it makes possible. Every larger correction has one of these. (This is the duality of corrections and
//! cores; a core here is a slice of a run, so it costs no query.) And it contains no smaller correction.

use std::rc::Rc;

use failure::{Failure, Forced};
use program::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use super::explore::{Decision, Explorer};
use super::{Correction, Corrections, Minimality, Spot, Undecided};
use crate::context::Context;

/// The minimal corrections of all failing tests together.
pub fn corrections(failures: &[Failure<'_>], context: Context<'_>) -> Corrections {
    let size = context.settings.corrections.size;
    let mut found = Corrections { tests: failures.len(), size, ..Corrections::default() };
    let is_whole = |failure: &Failure<'_>| failure.run.as_ref().is_none_or(|run| run.is_whole());
    if !failures.iter().all(is_whole) {
        let why = "the run is too long to be repeated from the start, again and again";
        found.undecided.push(Undecided { spots: Vec::new(), why });
        return found;
    }
    let mut explorers: Vec<Explorer<'_>> =
        failures.iter().map(|failure| Explorer::new(failure, context)).collect();
    if explorers.is_empty() || size == 0 {
        return found;
    }
    if !explorers.iter_mut().all(Explorer::repeats) {
        let why = "the run is too long, or does not fail again";
        found.undecided.push(Undecided { spots: Vec::new(), why });
        return found;
    }
    let mut enumeration =
        Enumeration { explorers: &mut explorers, decided: FxHashMap::default(), found: &mut found };
    enumeration.run(size, context.settings.corrections.smallest);
    enumeration.insert();
    let rank = |set: &Correction| (set.spots.len(), set.contradictions());
    found.sets.sort_by_key(rank);
    found.must = found.complete().then(|| must(&found.sets));
    found.queries = explorers.iter().map(Explorer::queries).sum();
    found.runs = explorers.iter().map(|explorer| explorer.made).sum();
    found
}

struct Enumeration<'e, 'a> {
    explorers: &'e mut Vec<Explorer<'a>>,
    /// What is known about a set and a test.
    decided: FxHashMap<(usize, Vec<Spot>), Decision>,
    found: &'e mut Corrections,
}

/// What is known about a set and all tests.
enum Joint {
    Repairs(Vec<Vec<Forced>>),
    /// It is not a correction of this test; these matter there.
    Never(Rc<[Spot]>),
    Unknown(&'static str),
}

impl Enumeration<'_, '_> {
    fn run(&mut self, size: usize, smallest: bool) {
        // The sets that are no corrections, and what may be added to them.
        let mut open: Vec<(Vec<Spot>, Rc<[Spot]>)> =
            vec![(Vec::new(), self.explorers[0].spots().into())];
        for done in 0..size {
            if smallest && !self.found.sets.is_empty() {
                self.found.size = done;
                break;
            }
            let mut next = Vec::new();
            let mut seen: FxHashSet<Vec<Spot>> = FxHashSet::default();
            for (set, more) in &open {
                for &spot in more.iter() {
                    let mut larger = set.clone();
                    if let Err(at) = larger.binary_search(&spot) {
                        larger.insert(at, spot);
                    }
                    if larger.len() == set.len()
                        || !seen.insert(larger.clone())
                        || self.contains_correction(&larger)
                    {
                        continue;
                    }
                    match self.decide(&larger) {
                        Joint::Repairs(_) if self.has_undecided_part(&larger) => {
                            let why = "it is enough, but so may be a part of it";
                            self.found.undecided.push(Undecided { spots: larger, why });
                        }
                        Joint::Repairs(forced) => {
                            let set = self.correction(larger, forced);
                            self.found.sets.push(set);
                        }
                        Joint::Never(more) => next.push((larger, more)),
                        Joint::Unknown(why) => {
                            // Anything may be added to it.
                            let all = self.explorers[0].spots().into();
                            next.push((larger.clone(), all));
                            self.found.undecided.push(Undecided { spots: larger, why });
                        }
                    }
                }
            }
            open = next;
        }
    }

    /// Looks for assignments that are missing.
    fn insert(&mut self) {
        // Of several statements that read what the same assignments have assigned, the first.
        let mut seen: FxHashSet<(Term, Vec<SiteId>)> = FxHashSet::default();
        for (spot, mut read) in self.explorers[0].insertions() {
            read.sort_unstable();
            read.dedup();
            let Spot::Insert { variable, .. } = spot else { continue };
            if !seen.insert((variable, read)) {
                continue;
            }
            if let Joint::Repairs(forced) = self.decide(&[spot]) {
                let insertion = self.correction(vec![spot], forced);
                self.found.insertions.push(insertion);
            }
        }
    }

    fn contains_correction(&self, set: &[Spot]) -> bool {
        self.found.sets.iter().any(|known| known.spots.iter().all(|spot| set.contains(spot)))
    }

    fn has_undecided_part(&self, set: &[Spot]) -> bool {
        self.found.undecided.iter().any(|open| open.spots.iter().all(|spot| set.contains(spot)))
    }

    /// Whether a set is a correction of all tests.
    fn decide(&mut self, set: &[Spot]) -> Joint {
        let mut witnesses = Vec::new();
        let mut unknown = None;
        for test in 0..self.explorers.len() {
            match self.decide_for(test, set) {
                Decision::Repairs(forced) => witnesses.push(forced),
                Decision::Never(more) => return Joint::Never(more),
                Decision::Unknown(why) => unknown = Some(why),
            }
        }
        match unknown {
            Some(why) => Joint::Unknown(why),
            None => Joint::Repairs(witnesses),
        }
    }

    fn decide_for(&mut self, test: usize, set: &[Spot]) -> Decision {
        // What repairs a test repairs it together with others.
        for &spot in set.iter().filter(|_| set.len() > 1) {
            if let Some(known @ Decision::Repairs(_)) = self.decided.get(&(test, vec![spot])) {
                return known.clone();
            }
        }
        let key = (test, set.to_vec());
        if let Some(known) = self.decided.get(&key) {
            return known.clone();
        }
        let decision = self.explorers[test].decide(set);
        self.decided.insert(key, decision.clone());
        decision
    }

    fn correction(&mut self, spots: Vec<Spot>, forced: Vec<Vec<Forced>>) -> Correction {
        let witnesses = forced
            .into_iter()
            .zip(self.explorers.iter_mut())
            .map(|(forced, explorer)| explorer.witness(&spots, forced))
            .collect();
        Correction { spots, witnesses, minimality: Minimality::Claimed }
    }
}

/// As few spots as possible of which every set has one: found set by set, a spot of many sets first.
fn must(sets: &[Correction]) -> Vec<Spot> {
    let mut must: Vec<Spot> = Vec::new();
    let mut rest: Vec<&Correction> = sets.iter().collect();
    loop {
        rest.retain(|set| !set.spots.iter().any(|spot| must.contains(spot)));
        // Sets come by size: those with one spot leave no choice.
        let Some(first) = rest.first() else { break };
        let count = |spot: &Spot| rest.iter().filter(|set| set.spots.contains(spot)).count();
        let best = first.spots.iter().max_by_key(|spot| (count(spot), std::cmp::Reverse(**spot)));
        let Some(&best) = best else { break };
        must.push(best);
    }
    must.sort_unstable();
    must
}
