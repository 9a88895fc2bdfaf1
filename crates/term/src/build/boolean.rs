//! Connectives, equality and `if-then-else`.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        match (self.op(a), self.args(a)) {
            (Op::Const(_), _) => {
                let value = !self.is_true(a);
                self.bool(value)
            }
            (Op::Not, &[inner]) => inner,
            (Op::Le | Op::Lt, &[left, right]) => self.negated_comparison(self.op(a), left, right),
            _ => self.intern(Op::Not, &Sort::Bool, &[a]),
        }
    }

    /// Conjunction of any number of terms.
    pub fn and(&mut self, conjuncts: &[Term]) -> Term {
        self.connective(Op::And, conjuncts)
    }

    /// Disjunction of any number of terms.
    pub fn or(&mut self, disjuncts: &[Term]) -> Term {
        self.connective(Op::Or, disjuncts)
    }

    fn connective(&mut self, op: Op, args: &[Term]) -> Term {
        let neutral = op == Op::And;
        let mut flat = Vec::with_capacity(args.len());
        for &arg in args {
            // Whether an argument is flattened depends on nothing but the argument: so the result does
            // not depend on the order of the arguments, and is found again when it is rebuilt.
            if self.op(arg) == op && self.args(arg).len() < super::LONGEST {
                flat.extend_from_slice(self.args(arg));
            } else {
                match self.value(arg).and_then(Value::as_bool) {
                    Some(value) if value == neutral => {}
                    Some(_) => return arg,
                    None => flat.push(arg),
                }
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let contradictory = flat.iter().any(|&t| match (self.op(t), self.args(t)) {
            (Op::Not, [inner]) => flat.binary_search(inner).is_ok(),
            _ => false,
        });
        match flat[..] {
            _ if contradictory => self.bool(!neutral),
            [] => self.bool(neutral),
            [single] => single,
            _ => self.intern(op, &Sort::Bool, &flat),
        }
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(true);
        }
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let same = x.same(y);
            return self.bool(same);
        }
        if let Some(pushed) = self.push_into_ite(Op::Eq, a, b) {
            return pushed;
        }
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            sort if sort.is_numeric() => self.numeric_eq(a, b),
            _ => self.sorted_eq(a, b),
        }
    }

    pub(super) fn sorted_eq(&mut self, a: Term, b: Term) -> Term {
        self.intern(Op::Eq, &Sort::Bool, &[a.min(b), a.max(b)])
    }

    fn iff(&mut self, a: Term, b: Term) -> Term {
        for (side, other) in [(a, b), (b, a)] {
            match self.value(side).and_then(Value::as_bool) {
                Some(true) => return other,
                Some(false) => return self.not(other),
                None => {}
            }
            if let (Op::Not, &[inner]) = (self.op(side), self.args(side)) {
                let equal = self.eq(inner, other);
                return self.not(equal);
            }
        }
        self.sorted_eq(a, b)
    }

    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        match self.value(condition).and_then(Value::as_bool) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None if then == otherwise => return then,
            None => {}
        }
        if let (Op::Not, &[inner]) = (self.op(condition), self.args(condition)) {
            return self.ite(inner, otherwise, then);
        }
        let sort = self.sort(then).clone();
        if sort == Sort::Bool {
            let constants = (
                self.value(then).and_then(Value::as_bool),
                self.value(otherwise).and_then(Value::as_bool),
            );
            let not = |terms: &mut Terms| terms.not(condition);
            match constants {
                (Some(true), _) => return self.or(&[condition, otherwise]),
                (Some(false), _) => {
                    let not = not(self);
                    return self.and(&[not, otherwise]);
                }
                (_, Some(true)) => {
                    let not = not(self);
                    return self.or(&[not, then]);
                }
                (_, Some(false)) => return self.and(&[condition, then]),
                _ => {}
            }
        }
        let then = self.branch_under(condition, then, 1);
        let otherwise = self.branch_under(condition, otherwise, 2);
        if then == otherwise {
            return then;
        }
        self.intern(Op::Ite, &sort, &[condition, then, otherwise])
    }

    /// `ite(c, ite(c, x, y), z)` is `ite(c, x, z)`: the branch of an inner choice on the same condition.
    fn branch_under(&self, condition: Term, branch: Term, side: usize) -> Term {
        match (self.op(branch), self.args(branch)) {
            (Op::Ite, args) if args[0] == condition => args[side],
            _ => branch,
        }
    }

    /// The parts of a choice between constants.
    pub(super) fn constant_choice(&self, term: Term) -> Option<(Term, Term, Term)> {
        match (self.op(term), self.args(term)) {
            (Op::Ite, &[c, x, y]) if self.value(x).is_some() && self.value(y).is_some() => {
                Some((c, x, y))
            }
            _ => None,
        }
    }

    /// A comparison of a constant with a choice between constants is decided by the choice.
    pub(super) fn push_into_ite(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (condition, then, otherwise) = match (self.constant_choice(a), self.constant_choice(b))
        {
            (Some((c, x, y)), _) if self.value(b).is_some() => {
                (c, self.make(op, &Sort::Bool, &[x, b]), self.make(op, &Sort::Bool, &[y, b]))
            }
            (_, Some((c, x, y))) if self.value(a).is_some() => {
                (c, self.make(op, &Sort::Bool, &[a, x]), self.make(op, &Sort::Bool, &[a, y]))
            }
            _ => return None,
        };
        Some(self.ite(condition, then, otherwise))
    }
}
