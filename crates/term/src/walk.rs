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
        let words = found.terms.iter().map(|root| root.index() / WORD + 1).max().unwrap_or(0);
        // From so many terms on, a bit for each term of the arena is cheaper.
        let most = FEW.max(words / 8);
        let mut next = 0;
        while let Some(term) = found.nth(next) {
            if found.terms.len() > most {
                return self.collect_by_bits(&found.terms, words, wanted);
            }
            next += 1;
            self.args(term).iter().filter(|&&t| wanted(t)).for_each(|&t| found.add(t));
        }
        found.terms.sort_unstable();
        found.terms
    }

    /// The same. What a term is built from comes before it in the arena, so one pass backwards finds all.
    fn collect_by_bits(
        &self,
        roots: &[Term],
        words: usize,
        wanted: impl Fn(Term) -> bool,
    ) -> Vec<Term> {
        let mut bits = vec![0_u64; words];
        for root in roots {
            bits[root.index() / WORD] |= 1 << (root.index() % WORD);
        }
        let mut found = Vec::with_capacity(2 * roots.len());
        for word in (0..words).rev() {
            let mut seen = 0;
            // A term may add others to the same word.
            while bits[word] & !seen != 0 {
                let bit = WORD - 1 - (bits[word] & !seen).leading_zeros() as usize;
                seen |= 1 << bit;
                let term = Term((word * WORD + bit) as u32);
                found.push(term);
                for arg in self.args(term).iter().filter(|&&t| wanted(t)) {
                    bits[arg.index() / WORD] |= 1 << (arg.index() % WORD);
                }
            }
        }
        found.reverse();
        found
    }
}

/// How many bits a word has.
const WORD: usize = u64::BITS as usize;

/// Where each term is in a sorted list.
pub(crate) enum Places<'a> {
    Few(&'a [Term]),
    /// By the distance from the first, if they are close together.
    Close(usize, Vec<u32>),
    Many(FxHashMap<Term, usize>),
}

impl Places<'_> {
    pub fn new(sorted: &[Term]) -> Places<'_> {
        if sorted.len() <= 2 * FEW {
            return Places::Few(sorted);
        }
        let (first, last) = (sorted[0].index(), sorted[sorted.len() - 1].index());
        if last - first > 16 * sorted.len() {
            return Places::Many(sorted.iter().enumerate().map(|(n, &t)| (t, n)).collect());
        }
        let mut places = vec![u32::MAX; last - first + 1];
        for (n, term) in sorted.iter().enumerate() {
            places[term.index() - first] = n as u32;
        }
        Places::Close(first, places)
    }

    pub fn of(&self, term: Term) -> Option<usize> {
        match self {
            Places::Few(sorted) => sorted.binary_search(&term).ok(),
            Places::Close(first, places) => {
                let place = *places.get(term.index().checked_sub(*first)?)?;
                (place != u32::MAX).then_some(place as usize)
            }
            Places::Many(places) => places.get(&term).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Sort;

    #[test]
    fn many_nodes_are_found_in_order() {
        let mut terms = Terms::new();
        let variables: Vec<Term> =
            (0..40).map(|i| terms.var(&format!("x{i}"), &Sort::Int)).collect();
        let mut sums = variables.clone();
        for i in 0..400 {
            let sum = terms.add(&[sums[(i * 7) % sums.len()], sums[(i * 13 + 5) % sums.len()]]);
            let product = terms.mul(sum, variables[i % 40]);
            sums.push(product);
        }
        for root in sums {
            let mut expected = BTreeSet::from([root]);
            let mut next = vec![root];
            while let Some(term) = next.pop() {
                next.extend(terms.args(term).iter().filter(|&&arg| expected.insert(arg)));
            }
            let expected: Vec<Term> = expected.into_iter().collect();
            assert_eq!(terms.collect(&[root], |_| true), expected);
            let words = root.index() / WORD + 1;
            assert_eq!(terms.collect_by_bits(&[root], words, |_| true), expected);
            let places = Places::new(&expected);
            for term in terms.all() {
                assert_eq!(places.of(term), expected.iter().position(|&it| it == term));
            }
        }
    }
}
