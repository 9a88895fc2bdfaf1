//! What is taken as true, found by what it mentions.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use term::{Op, Term, Terms};

/// A conjunction. From one to the next, only what differs is changed.
#[derive(Debug, Default)]
pub struct Facts {
    /// Its parts, and when each was last asked for.
    parts: FxHashMap<Term, u32>,
    time: u32,
    pub by_variable: FxHashMap<Term, Vec<Term>>,
    /// Variables that are equal to a constant.
    pub constants: FxHashMap<Term, Term>,
    /// The other parts.
    pub rest: BTreeSet<Term>,
}

impl Facts {
    pub fn of(terms: &Terms, parts: &[Term]) -> Facts {
        let mut facts = Facts::default();
        let (added, removed) = facts.compare(parts);
        facts.apply(terms, &added, &removed);
        facts
    }

    pub fn contains(&self, part: Term) -> bool {
        self.parts.contains_key(&part)
    }

    /// The parts that mention a variable.
    pub fn about(&self, variable: Term) -> impl Iterator<Item = Term> + '_ {
        self.by_variable.get(&variable).map_or(&[][..], Vec::as_slice).iter().copied()
    }

    /// Which parts another conjunction has more, and which it has not.
    pub fn compare(&mut self, parts: &[Term]) -> (Vec<Term>, Vec<Term>) {
        self.time += 1;
        let mut added = Vec::new();
        let mut same = 0;
        for &part in parts {
            match self.parts.get_mut(&part) {
                Some(time) => {
                    same += usize::from(*time != self.time);
                    *time = self.time;
                }
                None => added.push(part),
            }
        }
        let mut removed = Vec::new();
        if same < self.parts.len() {
            let old = self.parts.iter().filter(|(_, time)| **time != self.time);
            removed.extend(old.map(|(part, _)| *part));
            removed.sort_unstable();
        }
        (added, removed)
    }

    pub fn apply(&mut self, terms: &Terms, added: &[Term], removed: &[Term]) {
        for &part in removed {
            self.parts.remove(&part);
            for variable in terms.variables_of(&[part]) {
                if let Some(list) = self.by_variable.get_mut(&variable) {
                    list.retain(|&other| other != part);
                    if list.is_empty() {
                        self.by_variable.remove(&variable);
                    }
                }
            }
            match equality(terms, part) {
                Some((variable, _)) => drop(self.constants.remove(&variable)),
                None => drop(self.rest.remove(&part)),
            }
        }
        for &part in added {
            if self.parts.insert(part, self.time).is_some() {
                continue;
            }
            for variable in terms.variables_of(&[part]) {
                self.by_variable.entry(variable).or_default().push(part);
            }
            match equality(terms, part) {
                Some((variable, constant)) => drop(self.constants.insert(variable, constant)),
                None => drop(self.rest.insert(part)),
            }
        }
    }
}

/// The variable and the constant that a part says to be equal.
fn equality(terms: &Terms, part: Term) -> Option<(Term, Term)> {
    match (terms.op(part), terms.args(part)) {
        (Op::Eq, &[a, b]) if terms.is_var(a) && terms.value(b).is_some() => Some((a, b)),
        (Op::Eq, &[a, b]) if terms.is_var(b) && terms.value(a).is_some() => Some((b, a)),
        _ => None,
    }
}
