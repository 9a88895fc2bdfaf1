//! Walks over the nodes below a term. Most terms are small: up to [`FEW`] nodes, a list that is
//! searched from end to end beats any table.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::terms::{Term, Terms};

const FEW: usize = 32;

/// A growing list of distinct terms, which is also the queue of the walk that grows it.
#[derive(Default)]
pub(crate) struct Found {
    terms: Vec<Term>,
    /// The same, once they are not few any more.
    many: FxHashSet<Term>,
}

impl Found {
    pub fn add(&mut self, term: Term) {
        let new = if self.terms.len() <= FEW {
            !self.terms.contains(&term)
        } else {
            if self.many.is_empty() {
                self.many.extend(&self.terms);
            }
            self.many.insert(term)
        };
        if new {
            self.terms.push(term);
        }
    }

    pub fn nth(&self, n: usize) -> Option<Term> {
        self.terms.get(n).copied()
    }
}

impl Terms {
    /// The distinct nodes below (and with) the roots that can be reached over nodes that `wanted`
    /// accepts, arguments first.
    pub(crate) fn collect(&self, roots: &[Term], wanted: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut found = Found { terms: Vec::with_capacity(FEW), many: FxHashSet::default() };
        roots.iter().filter(|&&t| wanted(t)).for_each(|&t| found.add(t));
        let mut next = 0;
        while let Some(term) = found.nth(next) {
            next += 1;
            self.args(term).iter().filter(|&&t| wanted(t)).for_each(|&t| found.add(t));
        }
        found.terms.sort_unstable();
        found.terms
    }
}

/// Where each term is in a sorted list.
pub(crate) enum Places<'a> {
    Few(&'a [Term]),
    Many(FxHashMap<Term, usize>),
}

impl Places<'_> {
    pub fn new(sorted: &[Term]) -> Places<'_> {
        if sorted.len() <= 2 * FEW {
            Places::Few(sorted)
        } else {
            Places::Many(sorted.iter().enumerate().map(|(n, &t)| (t, n)).collect())
        }
    }

    pub fn of(&self, term: Term) -> Option<usize> {
        match self {
            Places::Few(sorted) => sorted.binary_search(&term).ok(),
            Places::Many(places) => places.get(&term).copied(),
        }
    }
}
