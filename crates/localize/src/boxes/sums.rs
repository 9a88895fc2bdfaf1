//! Sums that are made of other sums.
//!
//! Where digits are put together, each number is ten times the one before, and a digit. As a sum of all digits it has lost that: when the
//! factors of the first ones go around the clock, nothing is known of it. So it is said again.

use rustc_hash::FxHashMap;
use term::{Op, Term, Terms};

use super::arc::Arc;
use super::{Problem, number, value_of};

/// A sum: terms with their factors.
#[derive(Debug)]
pub(super) struct Sum {
    node: u32,
    mask: u64,
    parts: Vec<(Term, u64)>,
}

impl Sum {
    fn has(&self, term: Term) -> bool {
        self.parts.iter().any(|(part, _)| *part == term)
    }

    /// The factor with which it is a part of another sum.
    fn times(&self, whole: &Sum) -> Option<u64> {
        let of_whole = |term: Term| whole.parts.iter().find(|(part, _)| *part == term);
        let &(term, _) = self.parts.iter().find(|(_, factor)| *factor == 1)?;
        let times = of_whole(term)?.1;
        let fits = |&(term, factor): &(Term, u64)| {
            of_whole(term).is_some_and(|(_, of)| factor.wrapping_mul(times) & self.mask == *of)
        };
        (self.mask == whole.mask && self.parts.iter().all(fits)).then_some(times)
    }
}

impl Problem {
    /// Says of a sum that it is a multiple of an earlier one, and a rest; if it is.
    pub(super) fn add_sum(
        &mut self,
        terms: &mut Terms,
        node: u32,
        summands: &[Term],
        known: &mut FxHashMap<Term, u32>,
    ) -> Option<()> {
        let mask = self.mask(node);
        let parts = summands.iter().map(|&summand| scaled(terms, summand)).collect();
        let whole = Sum { node, mask, parts };
        let found = self.sums.iter().rev().find_map(|sum| Some((sum, sum.times(&whole)?)));
        if let Some((sum, times)) = found {
            let rest = summands.iter().zip(&whole.parts).filter(|(_, part)| !sum.has(part.0));
            let rest = rest.filter_map(|(summand, _)| known.get(summand).copied());
            let (mut again, of) = (rest.collect::<Vec<u32>>(), sum.node);
            let times = value_of(&terms.sort(summands[0]).clone(), times);
            let times = terms.constant(&times);
            let times = self.add(terms, times, known)?;
            again.push(self.push(Op::Mul, mask, &[times, of], Arc::all(mask)));
            let again = self.push(Op::Add, mask, &again, Arc::all(mask));
            self.push(Op::Eq, 1, &[node, again], Arc::point(1));
        }
        self.sums.push(whole);
        Some(())
    }
}

/// A term, and the constant with which it is multiplied.
fn scaled(terms: &Terms, term: Term) -> (Term, u64) {
    match (terms.op(term), terms.args(term)) {
        (Op::Mul, &[factor, of]) => match terms.value(factor).and_then(number) {
            Some(factor) => (of, factor),
            None => (term, 1),
        },
        _ => (term, 1),
    }
}
