//! Terms that can have few values.
//!
//! An element that is read at a changed index is one of those that were written: a choice of constants. What is computed from it has few
//! values, too. If that is done with floating-point numbers, a solver needs long, although it could be looked up: so where all floating-point
//! numbers of a condition come from one machine integer with few values, the condition becomes one about that integer. And a product with a factor
//! that has few values is a choice of multiples.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms, Value};

/// So many values are few,
const FEW: usize = 64;
/// so many for a factor,
const FACTORS: usize = 16;
/// and so many combinations of those of arguments.
const COMBINATIONS: usize = 512;
/// So many operations may be between a number and what is computed from it.
const BETWEEN: usize = 40;

/// What is known about the terms of an arena.
#[derive(Debug, Default)]
pub(super) struct Few {
    values: FxHashMap<Term, Option<Rc<[Value]>>>,
    simpler: FxHashMap<(Hard, Term), Term>,
}

/// What a solver needs long for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Hard {
    Floats,
    Products,
}

impl Hard {
    fn is_hard(self, terms: &Terms, term: Term) -> bool {
        match self {
            Hard::Floats => is_float(terms, term),
            Hard::Products => is_product(terms, term),
        }
    }
}

impl Few {
    /// Formulas that say the same, in order, with less of what is hard.
    pub fn simpler(&mut self, terms: &mut Terms, hard: Hard, formulas: &[Term]) -> Vec<Term> {
        let nodes = terms.reachable(formulas);
        let is_hard = |&node: &Term| hard.is_hard(terms, node);
        for node in if nodes.iter().any(is_hard) { nodes } else { Vec::new() } {
            if self.simpler.contains_key(&(hard, node)) {
                continue;
            }
            let args = terms.args(node).to_vec();
            let simpler: Vec<Term> = args.iter().map(|&arg| self.simpler[&(hard, arg)]).collect();
            let found = match hard {
                Hard::Floats => self.looked_up(terms, node),
                Hard::Products => self.multiples(terms, node, &simpler),
            };
            let (op, sort) = (terms.op(node), terms.sort(node).clone());
            let new = match found {
                Some(found) => found,
                None if simpler == args => node,
                None => terms.make(op, &sort, &simpler),
            };
            self.simpler.insert((hard, node), new);
        }
        let new = |formula: &Term| self.simpler.get(&(hard, *formula)).copied().unwrap_or(*formula);
        let mut simpler: Vec<Term> = formulas.iter().map(new).collect();
        simpler.sort_unstable();
        simpler.dedup();
        simpler
    }

    /// A term that is computed with floating-point numbers, as a choice by what they come from.
    fn looked_up(&mut self, terms: &mut Terms, term: Term) -> Option<Term> {
        if is_float(terms, term) || !terms.args(term).iter().any(|&arg| is_float(terms, arg)) {
            return None;
        }
        // What is between, arguments first.
        let (mut between, mut open) = (Vec::new(), vec![term]);
        let mut from = None;
        while let Some(next) = open.pop() {
            if between.contains(&next) || terms.value(next).is_some() {
                continue;
            }
            if between.len() == BETWEEN {
                return None;
            }
            if next == term || is_float(terms, next) && !terms.is_var(next) {
                between.push(next);
                open.extend(terms.args(next));
            } else if *from.get_or_insert(next) != next {
                return None;
            }
        }
        between.sort_unstable();
        let from = from.filter(|&from| !is_float(terms, from))?;
        let values = self.values(terms, from)?;
        let results: Vec<Value> =
            values.iter().map(|value| compute(terms, &between, from, value)).collect();
        let from = self.simpler.get(&(Hard::Floats, from)).copied().unwrap_or(from);
        // What is most frequent needs no condition.
        let count = |result: &&Value| results.iter().filter(|other| other == result).count();
        let usual = results.iter().max_by_key(count)?.clone();
        let mut chosen = terms.constant(&usual);
        for (value, result) in values.iter().zip(&results).filter(|(_, result)| **result != usual) {
            let (value, result) = (terms.constant(value), terms.constant(result));
            let is_this = terms.eq(from, value);
            chosen = terms.ite(is_this, result, chosen);
        }
        Some(chosen)
    }

    /// A product of these factors, which may have become simpler, as a choice of multiples.
    fn multiples(&mut self, terms: &mut Terms, term: Term, factors: &[Term]) -> Option<Term> {
        if !is_product(terms, term) {
            return None;
        }
        let args = terms.args(term).to_vec();
        let mut fewest: Option<(usize, Rc<[Value]>)> = None;
        for (at, &factor) in args.iter().enumerate() {
            let values = self.values(terms, factor);
            if let Some(values) = values.filter(|values| (2..=FACTORS).contains(&values.len()))
                && fewest.as_ref().is_none_or(|(_, known)| values.len() < known.len())
            {
                fewest = Some((at, values));
            }
        }
        let (at, values) = fewest?;
        let mut others = factors.to_vec();
        let factor = others.remove(at);
        let rest = match others[..] {
            [one] => one,
            _ => terms.make(Op::Mul, &terms.sort(term).clone(), &others),
        };
        let (last, earlier) = values.split_last()?;
        let mut chosen = terms.scale(last, rest);
        for value in earlier {
            let multiple = terms.scale(value, rest);
            let value = terms.constant(value);
            let is_this = terms.eq(factor, value);
            chosen = terms.ite(is_this, multiple, chosen);
        }
        Some(chosen)
    }

    /// All values that a term can have, and maybe others; if they are few.
    fn values(&mut self, terms: &Terms, term: Term) -> Option<Rc<[Value]>> {
        if let Some(known) = self.values.get(&term) {
            return known.clone();
        }
        for node in terms.reachable(&[term]) {
            if !self.values.contains_key(&node) {
                let values = self.of_arguments(terms, node);
                self.values.insert(node, values);
            }
        }
        self.values.get(&term)?.clone()
    }

    fn of_arguments(&self, terms: &Terms, node: Term) -> Option<Rc<[Value]>> {
        if let Some(value) = terms.value(node) {
            return Some(Rc::new([value.clone()]));
        }
        let of = |arg: &Term| self.values.get(arg)?.as_deref();
        let mut found: Vec<Value> = match (terms.op(node), terms.args(node)) {
            (Op::Var(_), _) => return None,
            (Op::Ite, [_, a, b]) => [of(a)?, of(b)?].concat(),
            (op, args) => {
                let args: Vec<&[Value]> = args.iter().map(of).collect::<Option<_>>()?;
                let count = args.iter().try_fold(1_usize, |all, own| all.checked_mul(own.len()));
                let count = count.filter(|&count| count <= COMBINATIONS)?;
                let result = |number: usize| {
                    let mut rest = number;
                    let chosen = args.iter().map(|own| {
                        let at = rest % own.len();
                        rest /= own.len();
                        &own[at]
                    });
                    op.apply(terms.sort(node), &chosen.collect::<Vec<_>>())
                };
                (0..count).map(result).collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        (found.len() <= FEW).then(|| found.into())
    }
}

fn is_float(terms: &Terms, term: Term) -> bool {
    matches!(terms.sort(term), Sort::Float(_))
}

/// Whether it is a product of machine integers that are not known.
fn is_product(terms: &Terms, term: Term) -> bool {
    terms.op(term) == Op::Mul
        && matches!(terms.sort(term), Sort::BitVec(_))
        && terms.args(term).iter().filter(|&&arg| terms.value(arg).is_none()).count() > 1
}

/// The value of the last of some terms, if this is what they come from.
fn compute(terms: &Terms, between: &[Term], from: Term, value: &Value) -> Value {
    let mut known: FxHashMap<Term, Value> = FxHashMap::default();
    known.insert(from, value.clone());
    let mut last = value.clone();
    for &term in between {
        let of = |arg: &Term| terms.value(*arg).or_else(|| known.get(arg));
        let args: Vec<&Value> = terms.args(term).iter().filter_map(of).collect();
        last = terms.op(term).apply(terms.sort(term), &args);
        known.insert(term, last.clone());
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Format;

    #[test]
    fn what_is_computed_from_few_numbers_is_looked_up() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(32);
        let index = terms.var("index", &sort);
        let number = |terms: &mut Terms, number: u128| terms.constant(&Value::bitvec(32, number));
        let mut element = number(&mut terms, 7);
        for (at, value) in [(0, 1), (1, 3), (2, 6)] {
            let (at, value) = (number(&mut terms, at), number(&mut terms, value));
            let is_there = terms.eq(index, at);
            element = terms.ite(is_there, value, element);
        }
        let one = number(&mut terms, 1);
        let more = terms.add(&[element, one]);
        let real = terms.fp_from_signed(more, Format::Double);
        let half = terms.constant(&Value::double(0.5));
        let product = terms.fp_mul(real, half);
        let two = terms.constant(&Value::double(2.0));
        let condition = terms.fp_le(product, two);
        let rounded = terms.fp_to_signed(product, 32);
        let three = number(&mut terms, 3);
        let is_three = terms.eq(rounded, three);

        let mut few = Few::default();
        for formula in [condition, is_three] {
            let simpler = few.simpler(&mut terms, Hard::Floats, &[formula]);
            assert!(!terms.reachable(&simpler).iter().any(|&node| is_float(&terms, node)));
            for value in 0..5 {
                let mut index = |_| Some(Value::bitvec(32, value));
                let [was, is] =
                    [formula, simpler[0]].map(|f| term::evaluate(&terms, f, &mut index));
                assert_eq!(was, is);
            }
        }
    }

    #[test]
    fn products_with_few_factors_are_chosen() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(8);
        let (x, y) = (terms.var("x", &sort), terms.var("y", &sort));
        let [one, three, five] = [1, 3, 5].map(|n| terms.constant(&Value::bitvec(8, n)));
        let is_one = terms.eq(x, one);
        let factor = terms.ite(is_one, three, five);
        let product = terms.mul(factor, y);
        let condition = terms.bv_slt(product, x);
        let simpler = Few::default().simpler(&mut terms, Hard::Products, &[condition]);
        assert!(!terms.reachable(&simpler).iter().any(|&node| is_product(&terms, node)));
        for (a, b) in (0..=255).flat_map(|a| [0, 1, 7, 43, 200, 255].map(|b| (a, b))) {
            let mut value = |v: Term| Some(Value::bitvec(8, if v == x { a } else { b }));
            let [was, is] = [condition, simpler[0]].map(|f| term::evaluate(&terms, f, &mut value));
            assert_eq!(was, is);
        }
    }

    #[test]
    fn what_has_many_values_stays() {
        let mut terms = Terms::new();
        let number = terms.var("number", &Sort::BitVec(32));
        let real = terms.fp_from_signed(number, Format::Double);
        let two = terms.constant(&Value::double(2.0));
        let condition = terms.fp_le(real, two);
        let simpler = Few::default().simpler(&mut terms, Hard::Floats, &[condition]);
        assert_eq!(simpler, [condition]);
    }
}
