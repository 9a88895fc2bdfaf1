//! Sums, products and comparisons.

use term::number::{IBig, RBig};
use term::{Op, Term, Value};

use super::Writer;
use super::terms::level;

/// Sums of at most this many parts are the same term in whatever order they are built.
const SHORT: usize = 60;

impl Writer<'_> {
    /// The part in `-1 * part`.
    pub(super) fn negated(&self, term: Term) -> Option<Term> {
        match (self.terms.op(term), self.terms.args(term)) {
            (Op::Mul, &[factor, part]) if self.terms.value(factor)?.neg().is_one() => Some(part),
            _ => None,
        }
    }

    /// `-x <= 3` is `x >= -3`, unless `x` is a choice, which only one of them is pushed into.
    pub(super) fn comparison(&mut self, (operator, flipped): (&str, &str), a: Term, b: Term) {
        let bound = self.terms.value(b).map(Value::neg);
        match (self.negated(a), bound) {
            (Some(part), Some(bound))
                if self.functions.piece(a).is_none() && self.terms.op(part) != Op::Ite =>
            {
                self.at_level(part, level::CONCATENATION);
                self.text.push_str(&format!(" {flipped} "));
                self.value(&bound, level::CONCATENATION);
            }
            _ => self.infix(operator, a, b, level::CONCATENATION),
        }
    }

    /// A sum: a short one begins with what is added and ends with the constant, a long one is
    /// spelt as it is.
    pub(super) fn sum(&mut self, term: Term, summands: &[Term]) {
        let is_sum = |&summand: &Term| {
            let part = self.terms.args(summand).get(1).copied().unwrap_or(summand);
            [summand, part].iter().any(|&part| self.terms.op(part) == Op::Add)
        };
        if summands.len() > SHORT || summands.iter().any(is_sum) {
            return self.chain(term, "+", summands, level::PRODUCT);
        }
        let place = |&summand: &Term| match self.terms.value(summand) {
            Some(_) => 2,
            None if self.negated(summand).is_some() => 1,
            None => 0,
        };
        let mut summands = summands.to_vec();
        summands.sort_by_key(place);
        for (index, &summand) in summands.iter().enumerate() {
            let negative = match self.terms.value(summand) {
                Some(Value::Int(i)) if *i < IBig::ZERO => Some(Value::Int(-i)),
                Some(Value::Real(r)) if *r < RBig::ZERO => Some(Value::Real(-r)),
                _ => None,
            };
            match (index, negative, self.negated(summand)) {
                (0, _, _) => self.at_level(summand, level::PRODUCT),
                (_, Some(value), _) => {
                    self.text.push_str(" - ");
                    self.value(&value, level::PRODUCT);
                }
                (_, _, Some(part)) if self.functions.piece(summand).is_none() => {
                    self.text.push_str(" - ");
                    self.at_level(part, level::PRODUCT);
                }
                _ => {
                    self.text.push_str(" + ");
                    self.at_level(summand, level::PRODUCT);
                }
            }
        }
    }

    /// `f(f(a, b), c)`, which is read as one sum or product of all.
    pub(super) fn nested(&mut self, operation: &str, term: Term, operands: &[Term]) {
        let [first, rest @ ..] = operands else { return };
        let sort = self.terms.sort(term).clone();
        let function = self.functions.builtin(operation, &[&sort, &sort], &sort);
        for _ in rest {
            self.text.push_str(&format!("{function}("));
        }
        self.chain_start(term, *first, level::ANY);
        for &operand in rest {
            self.text.push_str(", ");
            self.term(operand);
            self.text.push(')');
        }
    }
}
