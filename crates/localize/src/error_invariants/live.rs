//! The conjuncts at one position, while they are pulled backwards: found by what they mention.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use term::{Op, Term, Terms, Value};

use super::bounds::bound;
use super::decide::is_hard;
use super::spans::{Id, Span};

/// A conjunct of more nodes is too large.
const LARGEST: usize = 60;

/// A condition, or one of its escapes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conjunct {
    pub main: Term,
    pub escapes: Vec<Term>,
}

/// What is known about a conjunct.
#[derive(Debug)]
pub struct Shape {
    /// How large the condition is.
    pub nodes: usize,
    /// The variable that is equal to a constant, if that is all it says.
    pub pinned: Option<(Term, Value)>,
    /// The term that has a bound, if that is all it says.
    pub bounded: Option<Term>,
    /// It is more than one can look through.
    pub is_large: bool,
}

pub fn shape(terms: &Terms, conjunct: &Conjunct) -> Shape {
    let mut roots = conjunct.escapes.clone();
    roots.push(conjunct.main);
    let nodes = terms.reachable(&roots);
    let plain = conjunct.escapes.is_empty();
    let equal = |a: Term, b: Term| match terms.value(b) {
        Some(value) if terms.is_var(a) => Some((a, value.clone())),
        _ => None,
    };
    let pinned = match (terms.op(conjunct.main), terms.args(conjunct.main)) {
        (Op::Eq, &[a, b]) if plain => equal(a, b).or_else(|| equal(b, a)),
        _ => None,
    };
    let bounded = bound(terms, conjunct.main).filter(|_| plain).map(|bound| bound.of);
    let is_large = nodes.len() > LARGEST || nodes.iter().any(|&node| is_hard(terms, node));
    Shape { nodes: terms.reachable(&[conjunct.main]).len(), pinned, bounded, is_large }
}

/// The conjuncts at a position.
#[derive(Debug, Default)]
pub struct Live {
    pub at: u32,
    /// The last position of each.
    pub since: FxHashMap<Id, u32>,
    by_variable: FxHashMap<Term, Vec<Id>>,
    /// Bounds, by the term that has them.
    pub by_bound: FxHashMap<Term, Vec<Id>>,
    /// Those that are no pins.
    pub open: BTreeSet<Id>,
    /// Those that were there at the position after this one only, with their last position.
    left: FxHashMap<Id, u32>,
    spans: Vec<Span>,
}

impl Live {
    pub fn step_back(&mut self) {
        let from = self.at + 1;
        self.spans.extend(self.left.drain().map(|(id, to)| Span { id, from, to }));
        self.at -= 1;
    }

    pub fn finish(mut self) -> Vec<Span> {
        let from = self.at;
        self.spans.extend(self.left.drain().map(|(id, to)| Span { id, from: from + 1, to }));
        self.spans.extend(self.since.drain().map(|(id, to)| Span { id, from, to }));
        self.spans
    }

    pub fn all(&self) -> Vec<Id> {
        let mut all: Vec<Id> = self.since.keys().copied().collect();
        all.sort_unstable();
        all
    }

    pub fn variables(&self) -> impl Iterator<Item = Term> + '_ {
        self.by_variable.keys().copied()
    }

    /// Those that mention one of the variables.
    pub fn about(&self, variables: &[Term]) -> Vec<Id> {
        let known = |variable| self.by_variable.get(variable).map_or(&[][..], Vec::as_slice);
        let mut found: Vec<Id> = variables.iter().flat_map(known).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    pub fn enter(&mut self, id: Id, variables: &[Term], shape: &Shape) {
        if self.since.contains_key(&id) {
            return;
        }
        let to = self.left.remove(&id).unwrap_or(self.at);
        self.since.insert(id, to);
        for &variable in variables {
            self.by_variable.entry(variable).or_default().push(id);
        }
        if let Some(of) = shape.bounded {
            self.by_bound.entry(of).or_default().push(id);
        }
        if shape.pinned.is_none() {
            self.open.insert(id);
        }
    }

    pub fn leave(&mut self, id: Id, variables: &[Term], shape: &Shape) {
        let Some(to) = self.since.remove(&id) else { return };
        if to != self.at {
            self.left.insert(id, to);
        }
        let forget = |lists: &mut FxHashMap<Term, Vec<Id>>, key: Term| {
            if let Some(list) = lists.get_mut(&key) {
                list.retain(|&other| other != id);
                if list.is_empty() {
                    lists.remove(&key);
                }
            }
        };
        for &variable in variables {
            forget(&mut self.by_variable, variable);
        }
        if let Some(of) = shape.bounded {
            forget(&mut self.by_bound, of);
        }
        self.open.remove(&id);
    }
}
