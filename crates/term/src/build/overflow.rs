//! Overflow predicates. With a constant on one side they are comparisons, which other parts of the
//! system know well.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::{BitVec, Value};

impl Terms {
    pub fn bv_sadd_overflow(&mut self, a: Term, b: Term) -> Term {
        self.overflow(Op::BvSaddOverflow, a, b)
    }

    pub fn bv_ssub_overflow(&mut self, a: Term, b: Term) -> Term {
        self.overflow(Op::BvSsubOverflow, a, b)
    }

    pub fn bv_smul_overflow(&mut self, a: Term, b: Term) -> Term {
        self.overflow(Op::BvSmulOverflow, a, b)
    }

    pub fn bv_uadd_overflow(&mut self, a: Term, b: Term) -> Term {
        self.overflow(Op::BvUaddOverflow, a, b)
    }

    /// Whether `a - b` borrows.
    pub fn bv_usub_overflow(&mut self, a: Term, b: Term) -> Term {
        self.overflow(Op::BvUsubOverflow, a, b)
    }

    pub fn bv_umul_overflow(&mut self, a: Term, b: Term) -> Term {
        self.overflow(Op::BvUmulOverflow, a, b)
    }

    pub(super) fn overflow(&mut self, op: Op, a: Term, b: Term) -> Term {
        let commutes = !matches!(op, Op::BvSsubOverflow | Op::BvUsubOverflow);
        let (a, b) = if commutes { (a.min(b), a.max(b)) } else { (a, b) };
        match (self.bits(a), self.bits(b)) {
            (Some(_), Some(_)) => self.plain(op, &Sort::Bool, &[a, b]),
            _ if op == Op::BvUsubOverflow => self.bv_ult(a, b),
            (None, Some(c)) => self.overflow_with(op, a, c),
            (Some(c), None) if commutes => self.overflow_with(op, b, c),
            (Some(c), None) => self.overflow_of_difference_from(c, b),
            _ if op == Op::BvSsubOverflow && a == b => self.bool(false),
            _ => self.plain(op, &Sort::Bool, &[a, b]),
        }
    }

    /// Whether `a ∘ c` overflows.
    fn overflow_with(&mut self, op: Op, a: Term, c: BitVec) -> Term {
        let (min, max) = signed_range(c.width());
        let largest = BitVec::new(c.width(), u128::MAX).unsigned();
        let s = c.signed();
        match op {
            Op::BvSaddOverflow if s >= 0 => self.above(a, max - s),
            Op::BvSaddOverflow => self.below(a, min - s),
            Op::BvSsubOverflow if s >= 0 => self.below(a, min + s),
            Op::BvSsubOverflow => self.above(a, max + s),
            Op::BvUaddOverflow => self.above_unsigned(a, largest - c.unsigned()),
            Op::BvUmulOverflow if c.unsigned() == 0 => self.bool(false),
            Op::BvUmulOverflow => self.above_unsigned(a, largest / c.unsigned()),
            _ if s == 0 => self.bool(false),
            _ if s == -1 => {
                let smallest = self.constant(&Value::bitvec(c.width(), min as u128));
                self.eq(a, smallest)
            }
            _ => {
                // The quotients are rounded towards zero, so they are the last that fit.
                let (above, below) = if s > 0 { (max / s, min / s) } else { (min / s, max / s) };
                let (above, below) = (self.above(a, above), self.below(a, below));
                self.or(&[above, below])
            }
        }
    }

    /// Whether `c - b` overflows, signed.
    fn overflow_of_difference_from(&mut self, c: BitVec, b: Term) -> Term {
        let (min, max) = signed_range(c.width());
        match c.signed() {
            s if s >= 0 => self.below(b, s - max),
            s => self.above(b, s - min),
        }
    }

    fn above(&mut self, a: Term, bound: i128) -> Term {
        let bound = self.constant(&Value::bitvec(self.width(a), bound as u128));
        self.bv_slt(bound, a)
    }

    fn below(&mut self, a: Term, bound: i128) -> Term {
        let bound = self.constant(&Value::bitvec(self.width(a), bound as u128));
        self.bv_slt(a, bound)
    }

    fn above_unsigned(&mut self, a: Term, bound: u128) -> Term {
        let bound = self.constant(&Value::bitvec(self.width(a), bound));
        self.bv_ult(bound, a)
    }
}

fn signed_range(width: u32) -> (i128, i128) {
    let min = i128::MIN >> (128 - width);
    (min, !min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every constant on either side, every value on the other, at small widths.
    #[test]
    fn comparisons_mean_the_same() {
        use Op::*;
        for op in [
            BvSaddOverflow,
            BvSsubOverflow,
            BvSmulOverflow,
            BvUaddOverflow,
            BvUsubOverflow,
            BvUmulOverflow,
        ] {
            for width in 1..=4u32 {
                let mut t = Terms::new();
                let x = t.var("x", &Sort::BitVec(width));
                for n in 0..1u128 << (2 * width) {
                    let (c, v) = (Value::bitvec(width, n), Value::bitvec(width, n >> width));
                    let constant = t.constant(&c);
                    for (args, values) in [([constant, x], [&c, &v]), ([x, constant], [&v, &c])] {
                        let term = t.overflow(op, args[0], args[1]);
                        let value = crate::evaluate(&t, term, &mut |_| Some(v.clone()));
                        let expected = op.apply(&Sort::Bool, &values);
                        assert_eq!(value, Some(expected), "{op:?} {values:?}");
                        assert_ne!(t.op(term), op);
                    }
                }
            }
        }
    }

    #[test]
    fn at_the_full_width() {
        let mut t = Terms::new();
        let x = t.var("x", &Sort::BitVec(128));
        for c in [1, 3, 1 << 127, u128::MAX, u128::MAX - 6] {
            let constant = t.constant(&Value::bitvec(128, c));
            for op in [Op::BvSmulOverflow, Op::BvSaddOverflow, Op::BvSsubOverflow] {
                for v in [0, 1, 1 << 127, (1 << 127) - 1, u128::MAX / 3, u128::MAX] {
                    let v = Value::bitvec(128, v);
                    let term = t.overflow(op, x, constant);
                    let value = crate::evaluate(&t, term, &mut |_| Some(v.clone()));
                    let expected = op.apply(&Sort::Bool, &[&v, &Value::bitvec(128, c)]);
                    assert_eq!(value, Some(expected), "{op:?} {v} {c}");
                }
            }
        }
    }
}
