//! Linear forms: a numeric term seen as `constant + Σ coefficient · part`.
//!
//! Sums are kept in this form by the constructors, for Int, Real and BitVec alike (for bit-vectors
//! modulo 2^width), so that `x + 1 - 1` is `x` and a loop's `i + 1 + 1 + …` stays one node.
//!
//! A sum of [`LONGEST`] or more parts is one part itself wherever it is used: this depends on nothing
//! but the sum, so it is the same in whatever order and arena a term is built.

use crate::build::LONGEST;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

/// A numeric term as a linear form over parts that are not constants or (short) sums themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    pub constant: Value,
    /// Sorted by part; no coefficient is zero.
    pub parts: Vec<(Term, Value)>,
}

impl Linear {
    fn constant(value: Value) -> Linear {
        Linear { constant: value, parts: Vec::new() }
    }

    /// Adds `factor` times the other form.
    fn add_scaled(&mut self, factor: &Value, other: &Linear) {
        self.constant = self.constant.add(&factor.mul(&other.constant));
        let mut merged = Vec::with_capacity(self.parts.len() + other.parts.len());
        let mut left = std::mem::take(&mut self.parts).into_iter().peekable();
        for (part, coefficient) in &other.parts {
            while let Some(own) = left.next_if(|(own, _)| own < part) {
                merged.push(own);
            }
            let mut sum = factor.mul(coefficient);
            if let Some((_, own)) = left.next_if(|(own, _)| own == part) {
                sum = sum.add(&own);
            }
            if !sum.is_zero() {
                merged.push((*part, sum));
            }
        }
        merged.extend(left);
        self.parts = merged;
    }

    /// Sorts the parts and adds the coefficients of equal ones.
    fn collect(&mut self) {
        self.parts.sort_by_key(|(part, _)| *part);
        self.parts.dedup_by(|(part, coefficient), (kept, sum)| {
            let same = part == kept;
            if same {
                *sum = sum.add(coefficient);
            }
            same
        });
        self.parts.retain(|(_, coefficient)| !coefficient.is_zero());
    }

    /// The coefficient of a part, if it occurs.
    pub fn coefficient(&self, part: Term) -> Option<&Value> {
        let at = self.parts.binary_search_by_key(&part, |(p, _)| *p).ok()?;
        Some(&self.parts[at].1)
    }
}

impl Terms {
    /// The term as a linear form. Every numeric term has one; others give themselves.
    pub fn linear(&self, term: Term) -> Linear {
        let sort = self.sort(term);
        let mut form = Linear::constant(Value::zero(sort));
        match self.op(term) {
            Op::Add if !self.is_long_sum(term) => {
                for &summand in self.args(term) {
                    match self.value(summand) {
                        Some(value) => form.constant = form.constant.add(value),
                        None => form.parts.push(self.monomial(summand)),
                    }
                }
                form.parts.sort_unstable_by_key(|(part, _)| *part);
            }
            Op::Const(_) => form.constant = self.value(term).cloned().unwrap_or(form.constant),
            _ => form.parts.push(self.monomial(term)),
        }
        form
    }

    fn is_long_sum(&self, term: Term) -> bool {
        let args = self.args(term);
        self.op(term) == Op::Add
            && args.len() - usize::from(self.value(args[0]).is_some()) >= LONGEST
    }

    fn monomial(&self, term: Term) -> (Term, Value) {
        if let (Op::Mul, [factor, part]) = (self.op(term), self.args(term))
            && let Some(value) = self.value(*factor)
        {
            return (*part, value.clone());
        }
        (term, one(self.sort(term)))
    }

    /// The difference of two terms as a linear form.
    pub fn difference(&self, a: Term, b: Term) -> Linear {
        let mut form = self.linear(a);
        form.add_scaled(&one(self.sort(a)).neg(), &self.linear(b));
        form
    }

    /// The term of a linear form.
    pub fn from_linear(&mut self, sort: &Sort, form: &Linear) -> Term {
        let mut summands = Vec::with_capacity(form.parts.len() + 1);
        let has_constant = !form.constant.is_zero() || form.parts.is_empty();
        if has_constant {
            summands.push(self.constant(&form.constant));
        }
        for (part, coefficient) in &form.parts {
            let summand = if coefficient.is_one() {
                *part
            } else {
                let factor = self.constant(coefficient);
                self.intern(Op::Mul, sort, &[factor, *part])
            };
            summands.push(summand);
        }
        if has_constant && form.parts.len() >= LONGEST {
            // The constant stays in reach when the long sum is used as a part.
            let sum = self.intern(Op::Add, sort, &summands[1..]);
            summands.truncate(1);
            summands.push(sum);
        }
        match summands[..] {
            [single] => single,
            _ => self.intern(Op::Add, sort, &summands),
        }
    }

    /// The sum of one or more terms.
    pub fn add(&mut self, summands: &[Term]) -> Term {
        let [first, rest @ ..] = summands else {
            return self.constant(&Value::int(0));
        };
        if let &[second] = rest {
            let constant = |t: Term| self.value(t).cloned();
            let sum = match (constant(*first), constant(second)) {
                (None, Some(value)) => self.add_constant(*first, &value),
                (Some(value), None) => self.add_constant(second, &value),
                _ => None,
            };
            if let Some(sum) = sum {
                return sum;
            }
        }
        let sort = self.sort(*first).clone();
        let mut form = self.linear(*first);
        if rest.len() <= 4 {
            let unit = one(&sort);
            for &summand in rest {
                form.add_scaled(&unit, &self.linear(summand));
            }
        } else {
            // Merging one by one would be quadratic.
            for &summand in rest {
                let other = self.linear(summand);
                form.constant = form.constant.add(&other.constant);
                form.parts.extend(other.parts);
            }
            form.collect();
        }
        self.from_linear(&sort, &form)
    }

    /// The sum of a term that is not constant and a constant, if only the constant summand changes and
    /// does not vanish: what loops do to their counters.
    fn add_constant(&mut self, term: Term, value: &Value) -> Option<Term> {
        let sort = self.sort(term).clone();
        let (rest, sum) = match (self.op(term), self.args(term)) {
            (Op::Add, [first, rest @ ..]) => match self.value(*first) {
                Some(old) => (rest.to_vec(), old.add(value)),
                None if self.is_long_sum(term) => (vec![term], value.clone()),
                None => (self.args(term).to_vec(), value.clone()),
            },
            _ => (vec![term], value.clone()),
        };
        if sum.is_zero() {
            return None;
        }
        let mut summands = rest;
        summands.insert(0, self.constant(&sum));
        Some(self.intern(Op::Add, &sort, &summands))
    }

    pub fn neg(&mut self, term: Term) -> Term {
        let minus_one = one(self.sort(term)).neg();
        self.scale(&minus_one, term)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let negated = self.neg(b);
        self.add(&[a, negated])
    }

    /// `factor · term`.
    pub fn scale(&mut self, factor: &Value, term: Term) -> Term {
        let sort = self.sort(term).clone();
        let mut form = Linear::constant(Value::zero(&sort));
        form.add_scaled(factor, &self.linear(term));
        self.from_linear(&sort, &form)
    }

    /// The product of two terms. Products of sums are not expanded.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.product(&[a, b])
    }

    /// The product of one or more terms.
    pub(crate) fn product(&mut self, terms: &[Term]) -> Term {
        let [first, ..] = terms else { return self.constant(&Value::int(1)) };
        let sort = self.sort(*first).clone();
        let mut coefficient = one(&sort);
        let mut factors = Vec::with_capacity(terms.len());
        for &term in terms {
            if let Some(value) = self.value(term) {
                coefficient = coefficient.mul(value);
                continue;
            }
            let (part, factor) = self.monomial(term);
            coefficient = coefficient.mul(&factor);
            match self.op(part) {
                Op::Mul if self.args(part).len() < LONGEST => {
                    factors.extend_from_slice(self.args(part));
                }
                _ => factors.push(part),
            }
        }
        factors.sort_unstable();
        match factors[..] {
            [] => self.constant(&coefficient),
            [single] => self.scale(&coefficient, single),
            _ => {
                let product = self.intern(Op::Mul, &sort, &factors);
                self.scale(&coefficient, product)
            }
        }
    }
}

pub(crate) fn one(sort: &Sort) -> Value {
    Value::number(sort, &dashu_int::IBig::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_canonical() {
        let mut t = Terms::new();
        for sort in [Sort::Int, Sort::Real, Sort::BitVec(8)] {
            let number = |n: i32| Value::number(&sort, &n.into());
            let (x, y) = (t.var("x", &sort), t.var("y", &sort));
            let five = t.constant(&number(5));
            let a = t.add(&[x, y, five, x]);
            let two_x = t.scale(&number(2), x);
            let b = t.add(&[five, two_x, y]);
            assert_eq!(a, b);
            let zero = t.sub(a, b);
            assert!(t.value(zero).is_some_and(Value::is_zero));
            let xy = t.mul(x, y);
            let yx = t.mul(y, x);
            let minus = t.neg(yx);
            let none = t.add(&[xy, minus]);
            assert!(t.value(none).is_some_and(Value::is_zero));
        }
    }

    #[test]
    fn long_sums_stay_small() {
        let mut t = Terms::new();
        let mut sum = t.constant(&Value::int(0));
        for i in 0..10_000 {
            let x = t.var(&format!("x{i}"), &Sort::Int);
            sum = t.add(&[sum, x]);
        }
        assert!(t.len() < 40_000);
        let value = crate::evaluate(&t, sum, &mut |_| Some(Value::int(1)));
        assert_eq!(value, Some(Value::int(10_000)));
    }
}
