//! Parts of bit-vectors: extraction, extension, concatenation.
//!
//! Memory of bytes is read and written by these. What was taken apart must become one again: the
//! bytes of a term, put together, are the term. So slices are pushed to where the bits come from, as
//! long as no other operator is copied, and neighbours that come from one place are merged.
//! Concatenations are nested to the right.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::{BitVec, Value};

/// Where the bits of a slice come from.
enum Source {
    /// All are bits of another term, from this one on.
    Slice(Term, u32),
    /// They are this term.
    Whole(Term),
    Unknown,
}

impl Terms {
    /// Bits `low .. low + width`.
    pub fn extract(&mut self, a: Term, low: u32, width: u32) -> Term {
        let (mut a, mut low) = (a, low);
        // Each turn goes to an older term, or ends; what is not a tail call makes the width smaller.
        loop {
            if low == 0 && width == self.width(a) {
                return a;
            }
            match self.source(a, low, width) {
                Source::Slice(inner, from) => (a, low) = (inner, from),
                Source::Whole(term) => return term,
                Source::Unknown => {
                    return self.plain(Op::Extract { low }, &Sort::BitVec(width), &[a]);
                }
            }
        }
    }

    fn source(&mut self, a: Term, low: u32, width: u32) -> Source {
        let full = self.width(a);
        match (self.op(a), self.args(a)) {
            (Op::Extract { low: from }, &[inner]) => Source::Slice(inner, low + from),
            (op @ (Op::ZeroExtend | Op::SignExtend), &[inner]) => {
                self.of_extended(op, inner, low, width)
            }
            (Op::Concat, &[high, rest]) => {
                let split = self.width(rest);
                if low + width <= split {
                    Source::Slice(rest, low)
                } else if low >= split {
                    Source::Slice(high, low - split)
                } else {
                    let high = self.extract(high, 0, low + width - split);
                    let rest = self.extract(rest, low, split - low);
                    Source::Whole(self.concat(high, rest))
                }
            }
            (op @ (Op::BvLshr | Op::BvAshr), &[x, by]) => {
                let Some(by) = self.bits(by) else { return Source::Unknown };
                let by = u32::try_from(by.unsigned()).unwrap_or(full).min(full);
                let extended = if op == Op::BvLshr { Op::ZeroExtend } else { Op::SignExtend };
                // Beyond the top the shifted term continues like an extended one.
                self.of_extended(extended, x, low + by, width)
            }
            (Op::Mul, &[factor, x]) => match self.bits(factor) {
                Some(factor) if factor.unsigned().is_power_of_two() => {
                    self.of_shifted(x, factor.unsigned().trailing_zeros(), low, width)
                }
                _ => Source::Unknown,
            },
            (Op::Add, _) if low == 0 => self.of_sum(a, width),
            (op @ (Op::BvAnd | Op::BvOr | Op::BvXor), &[x, y]) => {
                self.of_masked(op, [x, y], low, width)
            }
            (Op::Ite, &[condition, x, y]) if self.constant_choice(a).is_some() => {
                let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
                Source::Whole(self.ite(condition, x, y))
            }
            _ => Source::Unknown,
        }
    }

    /// Bits of a term that is continued above with zeros or with its sign.
    fn of_extended(&mut self, op: Op, inner: Term, low: u32, width: u32) -> Source {
        let own = self.width(inner);
        if low + width <= own {
            return Source::Slice(inner, low);
        }
        let kept = if low < own {
            self.extract(inner, low, own - low)
        } else if op == Op::SignExtend {
            self.extract(inner, own - 1, 1)
        } else {
            return Source::Whole(self.zero(&Sort::BitVec(width)));
        };
        Source::Whole(self.extend(op, &Sort::BitVec(width), kept))
    }

    /// Bits of `x << by`.
    fn of_shifted(&mut self, x: Term, by: u32, low: u32, width: u32) -> Source {
        if low >= by {
            return Source::Slice(x, low - by);
        }
        if low + width <= by {
            return Source::Whole(self.zero(&Sort::BitVec(width)));
        }
        let high = self.extract(x, 0, low + width - by);
        let zeros = self.zero(&Sort::BitVec(by - low));
        Source::Whole(self.concat(high, zeros))
    }

    /// The low bits of a sum are the sum of low bits. Used if the summands are extended terms: it undoes
    /// the promotion of C's small integers.
    fn of_sum(&mut self, sum: Term, width: u32) -> Source {
        let form = self.linear(sum);
        let extended = |t: Term| matches!(self.op(t), Op::ZeroExtend | Op::SignExtend);
        if form.parts.is_empty() || !form.parts.iter().all(|(part, _)| extended(*part)) {
            return Source::Unknown;
        }
        let low_bits = |value: &Value| match value {
            Value::BitVec(bits) => Value::bitvec(width, bits.unsigned()),
            _ => value.clone(),
        };
        let mut summands = vec![self.constant(&low_bits(&form.constant))];
        for (part, coefficient) in &form.parts {
            let part = self.extract(*part, 0, width);
            summands.push(self.scale(&low_bits(coefficient), part));
        }
        Source::Whole(self.add(&summands))
    }

    /// Bits where a constant leaves the other argument alone, or hides it.
    fn of_masked(&mut self, op: Op, args: [Term; 2], low: u32, width: u32) -> Source {
        let (mask, x) = match args.map(|t| self.bits(t)) {
            [Some(mask), _] => (mask, args[1]),
            [_, Some(mask)] => (mask, args[0]),
            _ => return Source::Unknown,
        };
        let mask = BitVec::new(width, mask.unsigned() >> low);
        let ones = BitVec::new(width, u128::MAX);
        match op {
            Op::BvAnd if mask == ones => Source::Slice(x, low),
            Op::BvOr | Op::BvXor if mask.unsigned() == 0 => Source::Slice(x, low),
            Op::BvAnd if mask.unsigned() == 0 => Source::Whole(self.zero(&Sort::BitVec(width))),
            Op::BvOr if mask == ones => Source::Whole(self.constant(&Value::BitVec(ones))),
            _ => Source::Unknown,
        }
    }

    pub fn zero_extend(&mut self, a: Term, width: u32) -> Term {
        self.extend(Op::ZeroExtend, &Sort::BitVec(width), a)
    }

    pub fn sign_extend(&mut self, a: Term, width: u32) -> Term {
        self.extend(Op::SignExtend, &Sort::BitVec(width), a)
    }

    pub(super) fn extend(&mut self, op: Op, sort: &Sort, a: Term) -> Term {
        if self.sort(a) == sort {
            return a;
        }
        if let Some((condition, x, y)) = self.constant_choice(a) {
            let (x, y) = (self.plain(op, sort, &[x]), self.plain(op, sort, &[y]));
            return self.ite(condition, x, y);
        }
        match (self.op(a), self.args(a)) {
            (Op::ZeroExtend, &[inner]) => self.plain(Op::ZeroExtend, sort, &[inner]),
            (Op::SignExtend, &[inner]) if op == Op::SignExtend => self.plain(op, sort, &[inner]),
            _ => self.plain(op, sort, &[a]),
        }
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        if let (Op::Concat, &[top, middle]) = (self.op(high), self.args(high)) {
            let low = self.concat(middle, low);
            return self.concat(top, low);
        }
        // The part of `low` that is next to `high`, and what is below that.
        let (next, rest) = match (self.op(low), self.args(low)) {
            (Op::Concat, &[next, rest]) => (next, Some(rest)),
            (Op::ZeroExtend, &[inner]) if self.bits(high).is_some() => {
                let zeros = Sort::BitVec(self.width(low) - self.width(inner));
                (self.zero(&zeros), Some(inner))
            }
            _ => (low, None),
        };
        match (self.merged(high, next), rest) {
            (Some(merged), Some(rest)) => self.concat(merged, rest),
            (Some(merged), None) => merged,
            (None, _) => self.joined(high, low),
        }
    }

    /// Two neighbours as one term that is no concatenation.
    fn merged(&mut self, high: Term, low: Term) -> Option<Term> {
        let width = self.width(high) + self.width(low);
        match (self.op(high), self.args(high), self.op(low), self.args(low)) {
            (Op::Const(_), _, Op::Const(_), _) => {
                Some(self.plain(Op::Concat, &Sort::BitVec(width), &[high, low]))
            }
            (Op::Extract { low: above }, &[a], Op::Extract { low: below }, &[b])
                if a == b && below + self.width(low) == above =>
            {
                Some(self.extract(a, below, width))
            }
            // The sign of the low part, again and again.
            _ => {
                let sign = match (self.op(high), self.args(high)) {
                    (Op::SignExtend, &[sign]) => sign,
                    _ => high,
                };
                let is_sign = self.width(sign) == 1
                    && self.value(sign).is_none()
                    && self.extract(low, self.width(low) - 1, 1) == sign;
                is_sign.then(|| self.sign_extend(low, width))
            }
        }
    }

    /// A concatenation of which nothing can be merged.
    fn joined(&mut self, high: Term, low: Term) -> Term {
        let sort = Sort::BitVec(self.width(high) + self.width(low));
        match self.bits(high) {
            Some(zeros) if zeros.unsigned() == 0 => self.extend(Op::ZeroExtend, &sort, low),
            _ => self.plain(Op::Concat, &sort, &[high, low]),
        }
    }

    /// `extended == value` without the extension.
    pub(super) fn narrow_eq(&mut self, a: Term, value: &Value) -> Term {
        let (op @ (Op::ZeroExtend | Op::SignExtend), &[inner]) = (self.op(a), self.args(a)) else {
            let right = self.constant(value);
            return self.sorted_eq(a, right);
        };
        let Value::BitVec(bits) = value else { return self.bool(false) };
        let narrow = Value::bitvec(self.width(inner), bits.unsigned());
        if op.apply(&value.sort(), &[&narrow]) != *value {
            return self.bool(false);
        }
        let narrow = self.constant(&narrow);
        self.eq(inner, narrow)
    }

    /// A comparison of two extended terms, or of one with a constant, without the extension.
    pub(super) fn narrow_comparison(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let extension = |t: Term| match (self.op(t), self.args(t)) {
            (extension @ (Op::ZeroExtend | Op::SignExtend), &[inner]) => Some((extension, inner)),
            _ => None,
        };
        let (extension, width) = match (extension(a), extension(b)) {
            (Some((x, a)), Some((y, b))) if x == y && self.sort(a) == self.sort(b) => {
                (x, self.width(a))
            }
            (Some((x, a)), None) if self.bits(b).is_some() => (x, self.width(a)),
            (None, Some((x, b))) if self.bits(a).is_some() => (x, self.width(b)),
            _ => return None,
        };
        let sort = self.sort(a).clone();
        // A constant must be what an extension makes of its low bits.
        for side in [a, b] {
            if let Some(value) = self.bits(side) {
                let narrow = Value::bitvec(width, value.unsigned());
                if extension.apply(&sort, &[&narrow]) != Value::BitVec(value) {
                    return None;
                }
            }
        }
        // Zeros above make the signed order the unsigned one; signs keep both.
        let op = if extension == Op::ZeroExtend { Op::BvUlt } else { op };
        let (a, b) = (self.extract(a, 0, width), self.extract(b, 0, width));
        Some(self.bit_operation(op, a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(t: &mut Terms, x: Term) -> Vec<Term> {
        (0..t.width(x) / 8).map(|n| t.extract(x, 8 * n, 8)).collect()
    }

    fn joined(t: &mut Terms, bytes: &[Term]) -> [Term; 2] {
        let from_below = bytes.iter().copied().reduce(|low, high| t.concat(high, low));
        let from_above = bytes.iter().rev().copied().reduce(|high, low| t.concat(high, low));
        [from_below.unwrap(), from_above.unwrap()]
    }

    #[test]
    fn bytes_put_together_are_the_term() {
        let mut t = Terms::new();
        let (byte, word) = (t.var("b", &Sort::BitVec(8)), t.var("w", &Sort::BitVec(64)));
        let square = t.mul(word, word);
        let (zero, sign) = (t.zero_extend(byte, 32), t.sign_extend(byte, 32));
        let constant = t.constant(&Value::bitvec(32, 0x1234_5678));
        let float = t.var("x", &Sort::Float(crate::Format::Double));
        let float = t.fp_to_bits(float);
        for term in [byte, word, square, zero, sign, constant, float] {
            let bytes = bytes(&mut t, term);
            assert_eq!(joined(&mut t, &bytes), [term, term]);
        }
        // Half of a long, and a store of a byte into it.
        let all = bytes(&mut t, word);
        let half = t.extract(word, 16, 32);
        assert_eq!(joined(&mut t, &all[2..6]), [half, half]);
        let mut changed = all.clone();
        changed[3] = byte;
        let [changed, again] = joined(&mut t, &changed);
        assert_eq!(changed, again);
        assert_eq!(t.extract(changed, 24, 8), byte);
        assert_eq!(t.extract(changed, 32, 32), t.extract(word, 32, 32));
    }

    #[test]
    fn slices_go_to_where_the_bits_come_from() {
        let mut t = Terms::new();
        let x = t.var("x", &Sort::BitVec(32));
        let number = |t: &mut Terms, n: u128| t.constant(&Value::bitvec(32, n));
        let (mask, eight) = (number(&mut t, 0xffff_00ff), number(&mut t, 8));
        let byte = t.extract(x, 0, 8);
        let masked = t.bit_operation(Op::BvAnd, x, mask);
        assert_eq!(t.extract(masked, 0, 8), byte);
        let hidden = t.extract(masked, 8, 8);
        assert!(t.value(hidden).is_some_and(Value::is_zero));
        let shifted = t.bit_operation(Op::BvShl, x, eight);
        assert_eq!(t.extract(shifted, 8, 8), byte);
        let back = t.bit_operation(Op::BvLshr, shifted, eight);
        assert_eq!(t.extract(back, 0, 8), byte);
        // (char)((int)c + 1) is c + 1
        let c = t.var("c", &Sort::BitVec(8));
        let promoted = t.sign_extend(c, 32);
        let one = number(&mut t, 1);
        let sum = t.add(&[promoted, one]);
        let one = t.constant(&Value::bitvec(8, 1));
        assert_eq!(t.extract(sum, 0, 8), t.add(&[c, one]));
    }

    #[test]
    fn comparisons_of_promoted_terms() {
        let mut t = Terms::new();
        let c = t.var("c", &Sort::BitVec(8));
        let number = |t: &mut Terms, width, n: u128| t.constant(&Value::bitvec(width, n));
        let promoted = t.sign_extend(c, 32);
        let (wide, narrow) = (number(&mut t, 32, 65), number(&mut t, 8, 65));
        assert_eq!(t.eq(promoted, wide), t.eq(c, narrow));
        assert_eq!(t.bv_slt(promoted, wide), t.bv_slt(c, narrow));
        let large = number(&mut t, 32, 200);
        let never = t.eq(promoted, large);
        assert!(t.is_false(never));
    }
}
