//! What is known about symbols.
//!
//! In a loop, the same number is compared with one constant after another: `0 < n`, `1 < n`, `2 < n`. Only the last of them says
//! something. So what is known of a term by comparisons with constants is a range, and it does not matter by which of them it
//! became known.

use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms, Value};

/// What is known about symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Knowledge {
    /// In the order of the terms.
    ranges: Vec<(Compared, Range)>,
    /// All other conditions, in order.
    others: Vec<Term>,
}

/// A term that is compared with constants, and whether as a signed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Compared {
    term: Term,
    signed: bool,
}

/// The numbers from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: i128,
    last: i128,
}

impl Range {
    fn meet(self, other: Range) -> Range {
        Range { first: self.first.max(other.first), last: self.last.min(other.last) }
    }

    fn is_in(self, other: Range) -> bool {
        other.first <= self.first && self.last <= other.last
    }
}

impl Knowledge {
    pub fn of(terms: &Terms, conditions: &[Term]) -> Knowledge {
        let mut ranges: FxHashMap<Compared, Range> = FxHashMap::default();
        let mut others = Vec::new();
        for &condition in conditions {
            match range(terms, condition) {
                Some((compared, range)) => {
                    let known = ranges.entry(compared).or_insert(range);
                    *known = known.meet(range);
                }
                None => others.push(condition),
            }
        }
        let mut ranges: Vec<(Compared, Range)> = ranges.into_iter().collect();
        ranges.sort_unstable_by_key(|(compared, _)| *compared);
        others.sort_unstable();
        others.dedup();
        Knowledge { ranges, others }
    }

    /// Whether all that is known by another is known here.
    pub fn implies(&self, other: &Knowledge) -> bool {
        let has = |known: &(Compared, Range)| {
            let at = self.ranges.binary_search_by_key(&known.0, |(compared, _)| *compared);
            at.is_ok_and(|at| self.ranges[at].1.is_in(known.1))
        };
        other.ranges.iter().all(has)
            && other.others.iter().all(|condition| self.others.binary_search(condition).is_ok())
    }

    /// The terms of which there is only one value, and this.
    pub fn equal<'a>(&'a self, terms: &'a Terms) -> impl Iterator<Item = (Term, Value)> + 'a {
        self.ranges.iter().filter_map(|(compared, range)| {
            let &Sort::BitVec(width) = terms.sort(compared.term) else { return None };
            let value = Value::bitvec(width, range.first as u128);
            (range.first == range.last).then_some((compared.term, value))
        })
    }
}

/// Leaves out comparisons with constants that follow from others.
pub(super) fn leave_out_what_follows(terms: &Terms, conditions: &mut Vec<Term>) {
    let known = Knowledge::of(terms, conditions);
    // One for each end of a range.
    let mut said: FxHashMap<Compared, (bool, bool)> = FxHashMap::default();
    conditions.retain(|&condition| {
        let Some((compared, own)) = range(terms, condition) else { return true };
        let at = known.ranges.binary_search_by_key(&compared, |(compared, _)| *compared);
        let Some((_, range)) = at.ok().and_then(|at| known.ranges.get(at)) else { return true };
        let said = said.entry(compared).or_default();
        let is_first = own.first == range.first && !said.0;
        let is_last = own.last == range.last && !said.1;
        (said.0, said.1) = (said.0 || is_first, said.1 || is_last);
        is_first || is_last
    });
}

/// What a comparison with a constant says.
fn range(terms: &Terms, condition: Term) -> Option<(Compared, Range)> {
    let (is_not, compared) = match (terms.op(condition), terms.args(condition)) {
        (Op::Not, &[compared]) => (true, compared),
        _ => (false, condition),
    };
    let (op, &[a, b]) = (terms.op(compared), terms.args(compared)) else { return None };
    let &Sort::BitVec(width @ 1..=64) = terms.sort(a) else { return None };
    let signed = match op {
        Op::BvUlt => false,
        Op::BvSlt => true,
        Op::Eq if !is_not => true,
        _ => return None,
    };
    let number = |term: Term| match terms.value(term) {
        Some(Value::BitVec(bits)) if signed => Some(bits.signed()),
        Some(Value::BitVec(bits)) => Some(bits.unsigned() as i128),
        _ => None,
    };
    let first = if signed { -(1 << (width - 1)) } else { 0 };
    let last = first + (1 << width) - 1;
    let all = Range { first, last };
    let (term, range) = match (number(a), number(b)) {
        (None, Some(n)) if op == Op::Eq => (a, Range { first: n, last: n }),
        (Some(n), None) if op == Op::Eq => (b, Range { first: n, last: n }),
        (None, Some(n)) if is_not => (a, Range { first: n, ..all }),
        (None, Some(n)) => (a, Range { last: n - 1, ..all }),
        (Some(n), None) if is_not => (b, Range { last: n, ..all }),
        (Some(n), None) => (b, Range { first: n + 1, ..all }),
        _ => return None,
    };
    Some((Compared { term, signed }, range))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Comparisons of a symbol of three bits with constants, and their opposites.
    fn comparisons(terms: &mut Terms, x: Term) -> Vec<Term> {
        let mut found = Vec::new();
        for number in 0..8 {
            let constant = terms.constant(&Value::bitvec(3, number));
            found.push(terms.eq(x, constant));
            for op in [Op::BvUlt, Op::BvSlt] {
                found.push(terms.bit_operation(op, x, constant));
                found.push(terms.bit_operation(op, constant, x));
            }
        }
        let opposite: Vec<Term> = found.iter().map(|&one| terms.not(one)).collect();
        found.extend(opposite);
        found.retain(|&one| terms.value(one).is_none());
        found
    }

    /// The numbers for which conditions hold.
    fn numbers(terms: &Terms, conditions: &[Term]) -> Vec<u128> {
        let holds = |&number: &u128| {
            let value = Value::bitvec(3, number);
            let holds = |&term: &Term| term::evaluate(terms, term, &mut |_| Some(value.clone()));
            conditions.iter().all(|term| holds(term) == Some(Value::Bool(true)))
        };
        (0..8).filter(holds).collect()
    }

    #[test]
    fn what_is_implied_is_true() {
        let mut terms = Terms::new();
        let x = terms.var("x", &Sort::BitVec(3));
        let all = comparisons(&mut terms, x);
        let mut implied = 0;
        for &a in &all {
            for &b in &all {
                let both = [a, b];
                let mut fewer = both.to_vec();
                leave_out_what_follows(&terms, &mut fewer);
                let wanted = numbers(&terms, &both);
                assert_eq!(numbers(&terms, &fewer), wanted);
                let known = Knowledge::of(&terms, &both);
                if wanted.is_empty() {
                    continue;
                }
                for (term, value) in known.equal(&terms) {
                    assert_eq!(term, x);
                    assert_eq!(vec![value], [Value::bitvec(3, wanted[0])]);
                    assert_eq!(wanted.len(), 1);
                }
                for &c in &all {
                    if known.implies(&Knowledge::of(&terms, &[c])) {
                        let others = numbers(&terms, &[c]);
                        assert!(wanted.iter().all(|number| others.contains(number)));
                        implied += 1;
                    }
                }
            }
        }
        assert!(implied > 1000, "{implied}");
    }
}
