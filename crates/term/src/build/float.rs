//! Floating-point operators. Few laws of arithmetic hold for rounded numbers: what is used here holds
//! for all of them, with both zeros, the infinities and NaN.

use crate::float::{Float, Format, Rounding};
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

impl Terms {
    pub fn fp_add(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        match (self.float(a), self.float(b)) {
            // Not +0: that turns -0 into +0.
            (Some(zero), None) if is(zero, -0.0) => b,
            (None, Some(zero)) if is(zero, -0.0) => a,
            _ => match (self.fp_negated(a), self.fp_negated(b)) {
                (_, Some(inner)) => self.same_format(Op::FpSub, &[a, inner]),
                (Some(inner), _) => self.same_format(Op::FpSub, &[b, inner]),
                _ => self.same_format(Op::FpAdd, &[a, b]),
            },
        }
    }

    pub fn fp_sub(&mut self, a: Term, b: Term) -> Term {
        match self.float(b) {
            Some(zero) if self.float(a).is_none() && is(zero, 0.0) => a,
            _ => match self.fp_negated(b) {
                Some(inner) => self.fp_add(a, inner),
                None => self.same_format(Op::FpSub, &[a, b]),
            },
        }
    }

    pub fn fp_mul(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        match (self.float(a), self.float(b)) {
            (Some(one), None) if is(one, 1.0) => b,
            (None, Some(one)) if is(one, 1.0) => a,
            (Some(minus_one), None) if is(minus_one, -1.0) => self.fp_neg(b),
            (None, Some(minus_one)) if is(minus_one, -1.0) => self.fp_neg(a),
            _ => self.same_format(Op::FpMul, &[a, b]),
        }
    }

    pub fn fp_div(&mut self, a: Term, b: Term) -> Term {
        match self.float(b).and_then(exact_inverse) {
            // The quotient and the product are the same number, rounded once. Products are easier.
            Some(inverse) => {
                let inverse = self.constant(&Value::Float(inverse));
                self.fp_mul(a, inverse)
            }
            None => self.same_format(Op::FpDiv, &[a, b]),
        }
    }

    pub fn fp_neg(&mut self, a: Term) -> Term {
        match self.fp_negated(a) {
            Some(inner) => inner,
            None => self.same_format(Op::FpNeg, &[a]),
        }
    }

    pub fn fp_abs(&mut self, a: Term) -> Term {
        match (self.op(a), self.args(a)) {
            (Op::FpAbs, _) => a,
            (Op::FpNeg, &[inner]) => self.fp_abs(inner),
            _ => self.same_format(Op::FpAbs, &[a]),
        }
    }

    pub fn fp_sqrt(&mut self, a: Term) -> Term {
        self.same_format(Op::FpSqrt, &[a])
    }

    /// `a · b + c`, rounded once.
    pub fn fp_fma(&mut self, a: Term, b: Term, c: Term) -> Term {
        self.same_format(Op::FpFma, &[a.min(b), a.max(b), c])
    }

    pub fn fp_round(&mut self, mode: Rounding, a: Term) -> Term {
        match self.op(a) {
            Op::FpRound(_) | Op::FpFromSigned | Op::FpFromUnsigned => a,
            _ => self.same_format(Op::FpRound(mode), &[a]),
        }
    }

    /// Equality of IEEE 754; [`Terms::eq`] is that of values.
    pub fn fp_eq(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return self.fp_is_number(a);
        }
        match (self.float(a), self.float(b)) {
            (Some(_), Some(_)) => {}
            // But for zeros and NaN, both equalities are the same.
            (Some(c), None) | (None, Some(c)) if !c.is_nan() && c.to_f64() != 0.0 => {
                return self.eq(a, b);
            }
            _ => {}
        }
        self.fp_comparison(Op::FpEq, a, b)
    }

    pub fn fp_lt(&mut self, a: Term, b: Term) -> Term {
        let infinite = |x: Option<Float>, x_is| x.is_some_and(|x| x.to_f64() == x_is);
        if a == b
            || infinite(self.float(a), f64::INFINITY)
            || infinite(self.float(b), f64::NEG_INFINITY)
        {
            return self.bool(false);
        }
        self.fp_comparison(Op::FpLt, a, b)
    }

    pub fn fp_le(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.fp_is_number(a);
        }
        self.fp_comparison(Op::FpLe, a, b)
    }

    fn fp_comparison(&mut self, op: Op, a: Term, b: Term) -> Term {
        if [a, b].iter().any(|&t| self.float(t).is_some_and(Float::is_nan)) {
            return self.bool(false);
        }
        match self.push_into_ite(op, a, b) {
            Some(decided) => decided,
            None => self.plain(op, &Sort::Bool, &[a, b]),
        }
    }

    pub fn fp_is_nan(&mut self, a: Term) -> Term {
        match (self.op(a), self.args(a)) {
            (Op::FpNeg | Op::FpAbs | Op::FpRound(_) | Op::FpConvert, &[inner]) => {
                self.fp_is_nan(inner)
            }
            (Op::FpFromSigned | Op::FpFromUnsigned, _) => self.bool(false),
            _ => self.plain(Op::FpIsNan, &Sort::Bool, &[a]),
        }
    }

    fn fp_is_number(&mut self, a: Term) -> Term {
        let nan = self.fp_is_nan(a);
        self.not(nan)
    }

    /// The nearest number to a signed bit-vector.
    pub fn fp_from_signed(&mut self, a: Term, format: Format) -> Term {
        self.plain(Op::FpFromSigned, &Sort::Float(format), &[a])
    }

    /// The nearest number to an unsigned bit-vector.
    pub fn fp_from_unsigned(&mut self, a: Term, format: Format) -> Term {
        self.plain(Op::FpFromUnsigned, &Sort::Float(format), &[a])
    }

    /// Toward zero; only the top bit is set where there is no result.
    pub fn fp_to_signed(&mut self, a: Term, width: u32) -> Term {
        match self.exact_integer(a) {
            Some((Op::FpFromSigned, inner)) if self.width(inner) <= width => {
                self.sign_extend(inner, width)
            }
            Some((Op::FpFromUnsigned, inner)) if self.width(inner) < width => {
                self.zero_extend(inner, width)
            }
            _ => self.plain(Op::FpToSigned, &Sort::BitVec(width), &[a]),
        }
    }

    /// Toward zero; only the top bit is set where there is no result.
    pub fn fp_to_unsigned(&mut self, a: Term, width: u32) -> Term {
        match self.exact_integer(a) {
            Some((Op::FpFromUnsigned, inner)) if self.width(inner) <= width => {
                self.zero_extend(inner, width)
            }
            _ => self.plain(Op::FpToUnsigned, &Sort::BitVec(width), &[a]),
        }
    }

    /// The bit-vector that was converted to this number, if that was exact; and how.
    fn exact_integer(&self, a: Term) -> Option<(Op, Term)> {
        let (op, &[inner]) = (self.op(a), self.args(a)) else { return None };
        if op == Op::FpConvert && self.format(inner) == Format::Single {
            return self.exact_integer(inner);
        }
        let exact = matches!(op, Op::FpFromSigned | Op::FpFromUnsigned)
            && self.width(inner) <= self.format(a).precision();
        exact.then_some((op, inner))
    }

    /// The nearest number of the format.
    pub fn fp_convert(&mut self, a: Term, format: Format) -> Term {
        if self.format(a) == format {
            return a;
        }
        match (self.op(a), self.args(a)) {
            // To double precision and back.
            (Op::FpConvert, &[inner]) if format == Format::Single => inner,
            _ => self.plain(Op::FpConvert, &Sort::Float(format), &[a]),
        }
    }

    /// The number with these bits; the bit-vector has the width of the format.
    pub fn fp_from_bits(&mut self, a: Term, format: Format) -> Term {
        match (self.op(a), self.args(a)) {
            (Op::FpToBits, &[inner]) => inner,
            _ => self.plain(Op::FpFromBits, &Sort::Float(format), &[a]),
        }
    }

    /// The bits of the number. These are not the bits it was made of: NaN has forgotten them.
    pub fn fp_to_bits(&mut self, a: Term) -> Term {
        let width = self.format(a).width();
        self.plain(Op::FpToBits, &Sort::BitVec(width), &[a])
    }

    /// The floating-point term with this operator, sort and arguments; None for other operators.
    pub(super) fn make_float(&mut self, op: Op, sort: &Sort, args: &[Term]) -> Option<Term> {
        let format = if let Sort::Float(format) = sort { *format } else { Format::Double };
        let width = if let Sort::BitVec(width) = sort { *width } else { 1 };
        Some(match (op, args) {
            (Op::FpAdd, &[a, b]) => self.fp_add(a, b),
            (Op::FpSub, &[a, b]) => self.fp_sub(a, b),
            (Op::FpMul, &[a, b]) => self.fp_mul(a, b),
            (Op::FpDiv, &[a, b]) => self.fp_div(a, b),
            (Op::FpNeg, &[a]) => self.fp_neg(a),
            (Op::FpAbs, &[a]) => self.fp_abs(a),
            (Op::FpSqrt, &[a]) => self.fp_sqrt(a),
            (Op::FpFma, &[a, b, c]) => self.fp_fma(a, b, c),
            (Op::FpRound(mode), &[a]) => self.fp_round(mode, a),
            (Op::FpEq, &[a, b]) => self.fp_eq(a, b),
            (Op::FpLt, &[a, b]) => self.fp_lt(a, b),
            (Op::FpLe, &[a, b]) => self.fp_le(a, b),
            (Op::FpIsNan, &[a]) => self.fp_is_nan(a),
            (Op::FpFromSigned, &[a]) => self.fp_from_signed(a, format),
            (Op::FpFromUnsigned, &[a]) => self.fp_from_unsigned(a, format),
            (Op::FpToSigned, &[a]) => self.fp_to_signed(a, width),
            (Op::FpToUnsigned, &[a]) => self.fp_to_unsigned(a, width),
            (Op::FpConvert, &[a]) => self.fp_convert(a, format),
            (Op::FpFromBits, &[a]) => self.fp_from_bits(a, format),
            (Op::FpToBits, &[a]) => self.fp_to_bits(a),
            _ => return None,
        })
    }

    /// An operation whose result has the format of its arguments.
    fn same_format(&mut self, op: Op, args: &[Term]) -> Term {
        let sort = self.sort(args[0]).clone();
        self.plain(op, &sort, args)
    }

    fn fp_negated(&self, a: Term) -> Option<Term> {
        match (self.op(a), self.args(a)) {
            (Op::FpNeg, &[inner]) => Some(inner),
            _ => None,
        }
    }

    fn float(&self, term: Term) -> Option<Float> {
        match self.value(term) {
            Some(Value::Float(value)) => Some(*value),
            _ => None,
        }
    }

    fn format(&self, term: Term) -> Format {
        match self.sort(term) {
            Sort::Float(format) => *format,
            _ => Format::Double,
        }
    }
}

/// Whether it is this number; the zeros are different.
fn is(value: Float, number: f64) -> bool {
    value.convert(Format::Double) == Float::double(number)
}

/// The inverse of a power of two, if there is one.
fn exact_inverse(value: Float) -> Option<Float> {
    let stored = (1u64 << (value.format().precision() - 1)) - 1;
    let is_power = value.bits() & stored == 0;
    let inverse = Float::double(1.0 / value.to_f64()).convert(value.format());
    let is_normal = |x: Float| match x.format() {
        Format::Single => x.to_f32().is_normal(),
        Format::Double => x.to_f64().is_normal(),
    };
    (is_power && is_normal(value) && is_normal(inverse)).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_is_used_and_what_does_not_is_not() {
        let mut t = Terms::new();
        let x = t.var("x", &Sort::Float(Format::Double));
        let number = |t: &mut Terms, n: f64| t.constant(&Value::double(n));
        let (zero, minus_zero) = (number(&mut t, 0.0), number(&mut t, -0.0));
        assert_eq!(t.fp_add(x, minus_zero), x);
        assert_ne!(t.fp_add(x, zero), x);
        assert_eq!(t.fp_sub(x, zero), x);
        assert_ne!(t.fp_sub(x, minus_zero), x);
        let minus = t.fp_neg(x);
        assert_eq!(t.fp_neg(minus), x);
        assert_eq!(t.fp_abs(minus), t.fp_abs(x));
        let (two, half, three) = (number(&mut t, 2.0), number(&mut t, 0.5), number(&mut t, 3.0));
        assert_eq!(t.fp_div(x, two), t.fp_mul(half, x));
        let third = t.fp_div(x, three);
        assert_eq!(t.op(third), Op::FpDiv);
        // The inverse of the smallest normal number is normal; that of the largest power of two is not.
        let large = number(&mut t, 2f64.powi(1023));
        let quotient = t.fp_div(x, large);
        assert_eq!(t.op(quotient), Op::FpDiv);
        let same = t.fp_eq(x, x);
        let nan = t.fp_is_nan(x);
        assert_eq!(same, t.not(nan));
        assert_eq!(t.fp_eq(x, two), t.eq(x, two));
        assert_ne!(t.fp_eq(x, zero), t.eq(x, zero));
    }

    #[test]
    fn bits_and_back() {
        let mut t = Terms::new();
        let bits = t.var("b", &Sort::BitVec(32));
        let x = t.fp_from_bits(bits, Format::Single);
        let again = t.fp_to_bits(x);
        assert_ne!(again, bits, "a NaN loses its payload");
        assert_eq!(t.fp_from_bits(again, Format::Single), x);
        let wide = t.fp_convert(x, Format::Double);
        assert_eq!(t.fp_convert(wide, Format::Single), x);
    }

    #[test]
    fn exact_conversions_of_integers_vanish() {
        let mut t = Terms::new();
        let n = t.var("n", &Sort::BitVec(32));
        let x = t.fp_from_signed(n, Format::Double);
        assert_eq!(t.fp_to_signed(x, 32), n);
        let long = t.sign_extend(n, 64);
        assert_eq!(t.fp_to_signed(x, 64), long);
        let x = t.fp_from_signed(n, Format::Single);
        let back = t.fp_to_signed(x, 32);
        assert_eq!(t.op(back), Op::FpToSigned, "24 bits are not enough");
    }
}
