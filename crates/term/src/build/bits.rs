//! Bit-vector operators beyond sums and products.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::{BitVec, Value};

impl Terms {
    pub fn bv_not(&mut self, a: Term) -> Term {
        if let (Op::BvNot, &[inner]) = (self.op(a), self.args(a)) {
            return inner;
        }
        let sort = self.sort(a).clone();
        self.plain(Op::BvNot, &sort, &[a])
    }

    /// Unsigned `a < b`.
    pub fn bv_ult(&mut self, a: Term, b: Term) -> Term {
        self.bit_operation(Op::BvUlt, a, b)
    }

    /// Signed `a < b`.
    pub fn bv_slt(&mut self, a: Term, b: Term) -> Term {
        self.bit_operation(Op::BvSlt, a, b)
    }

    pub(super) fn is_bit_operation(&self, a: Term, b: Term) -> bool {
        matches!((self.sort(a), self.sort(b)), (Sort::BitVec(_), Sort::BitVec(_)))
    }

    /// A binary bit-vector operator; overflow predicates have constructors of their own.
    pub fn bit_operation(&mut self, op: Op, a: Term, b: Term) -> Term {
        let sort = match op {
            Op::BvUlt | Op::BvSlt => Sort::Bool,
            Op::Concat => return self.concat(a, b),
            _ => self.sort(a).clone(),
        };
        let (a, b) = match op {
            Op::BvAnd | Op::BvOr | Op::BvXor if b < a => (b, a),
            _ => (a, b),
        };
        if let Some(simple) = self.simple_bit_operation(op, &sort, a, b) {
            return simple;
        }
        self.plain(op, &sort, &[a, b])
    }

    fn simple_bit_operation(&mut self, op: Op, sort: &Sort, a: Term, b: Term) -> Option<Term> {
        let (left, right) = (self.bits(a), self.bits(b));
        if left.is_some() && right.is_some() {
            return None;
        }
        let ones =
            |bits: Option<BitVec>| bits.is_some_and(|b| b == BitVec::new(b.width(), u128::MAX));
        let zero = |bits: Option<BitVec>| bits.is_some_and(|b| b.unsigned() == 0);
        Some(match op {
            Op::BvAnd if a == b || ones(left) => b,
            Op::BvAnd if ones(right) => a,
            Op::BvAnd if zero(left) || zero(right) => self.zero(sort),
            Op::BvOr if a == b || zero(left) => b,
            Op::BvOr if zero(right) => a,
            Op::BvOr if ones(left) => a,
            Op::BvOr if ones(right) => b,
            Op::BvXor if a == b => self.zero(sort),
            Op::BvXor if zero(left) => b,
            Op::BvXor if zero(right) => a,
            Op::BvShl | Op::BvLshr | Op::BvAshr if zero(right) => a,
            Op::BvShl => {
                let amount = u32::try_from(right?.unsigned()).unwrap_or(u32::MAX);
                let factor = 1u128.checked_shl(amount).unwrap_or(0);
                let factor = Value::bitvec(right?.width(), factor);
                self.scale(&factor, a)
            }
            // Also by zero, which leaves a number as it is.
            Op::BvUrem | Op::BvSrem if a == b || zero(left) => self.zero(sort),
            Op::BvUdiv | Op::BvSdiv if right?.unsigned() == 1 && right?.width() > 1 => a,
            Op::BvUlt | Op::BvSlt if a == b => self.bool(false),
            Op::BvUlt if zero(right) || ones(left) => self.bool(false),
            Op::BvUlt | Op::BvSlt => {
                return self.push_into_ite(op, a, b).or_else(|| self.narrow_comparison(op, a, b));
            }
            _ => return None,
        })
    }

    pub(super) fn bits(&self, term: Term) -> Option<BitVec> {
        match self.value(term) {
            Some(Value::BitVec(bits)) => Some(*bits),
            _ => None,
        }
    }

    pub(super) fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => *width,
            _ => 1,
        }
    }
}
