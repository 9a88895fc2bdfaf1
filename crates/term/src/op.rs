//! Operators and their meaning. [`Op::apply`] is the one place that says what an operator does to
//! values: the simplifier folds constants with it and the evaluator runs on it.
//!
//! All operators are total. Where SMT-LIB leaves a result open we choose one, and every back end
//! encodes our choice: integer and real division by zero give 0, `mod` by zero gives the dividend,
//! and a floating-point number that no integer of a width can stand for gives what x86 gives.

mod float;
mod overflow;

use std::sync::Arc;

use dashu_int::IBig;
use dashu_int::ops::{DivEuclid, RemEuclid};
use dashu_ratio::RBig;

use crate::float::Rounding;
use crate::sort::Sort;
use crate::value::{ArrayValue, BitVec, Value};

/// What a node of the term graph does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// A constant; the number is an index into the arena's table of values.
    Const(u32),
    /// A variable; the number is an index into the arena's table of variables.
    Var(u32),
    Not,
    /// n-ary, flat, sorted.
    And,
    /// n-ary, flat, sorted.
    Or,
    Ite,
    Eq,
    /// `<=` on Int and Real.
    Le,
    /// `<` on Real (on Int it is expressed by `Le`).
    Lt,
    /// n-ary sum on Int, Real and BitVec.
    Add,
    /// n-ary product on Int, Real and BitVec.
    Mul,
    /// Euclidean division on Int, exact division on Real.
    Div,
    /// Euclidean remainder on Int.
    Mod,
    ToReal,
    /// The largest integer below.
    Floor,
    BvNot,
    BvAnd,
    BvOr,
    BvXor,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvSlt,
    /// Whether the signed sum does not fit the width.
    BvSaddOverflow,
    BvSsubOverflow,
    BvSmulOverflow,
    /// Whether the unsigned sum does not fit the width.
    BvUaddOverflow,
    /// Whether the unsigned difference is negative: the borrow.
    BvUsubOverflow,
    BvUmulOverflow,
    Concat,
    /// Bits `low .. low + width` of the argument; the width is that of the term.
    Extract {
        low: u32,
    },
    /// Zero-extension to the width of the term.
    ZeroExtend,
    /// Sign-extension to the width of the term.
    SignExtend,
    Select,
    Store,
    /// The map that has its argument everywhere; the index sort is in the term's sort.
    ConstArray,
    /// Arithmetic of floating-point numbers rounds to nearest, ties to even.
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    FpNeg,
    FpAbs,
    FpSqrt,
    /// `a · b + c`, rounded once.
    FpFma,
    /// The next integral number, as a floating-point number.
    FpRound(Rounding),
    /// Equality of IEEE 754: the zeros are equal, NaN is not equal to itself.
    FpEq,
    FpLt,
    FpLe,
    FpIsNan,
    /// The nearest number to a signed bit-vector.
    FpFromSigned,
    FpFromUnsigned,
    /// Toward zero. Only the top bit is set if the number does not fit the width of the term, or is NaN.
    FpToSigned,
    /// As [`Op::FpToSigned`], and with the same bits where there is no result.
    FpToUnsigned,
    /// The nearest number of the other format.
    FpConvert,
    /// The number that has these bits.
    FpFromBits,
    /// The bits of the number; those of NaN are always the same.
    FpToBits,
}

impl Op {
    /// The value of the operator on these arguments; `sort` is the sort of the result.
    ///
    /// Ill-sorted arguments cannot come from the arena's constructors; they yield the zero of `sort`.
    pub fn apply(self, sort: &Sort, args: &[&Value]) -> Value {
        apply_bool(self, args)
            .or_else(|| apply_arithmetic(self, args))
            .or_else(|| apply_bits(self, sort, args))
            .or_else(|| apply_array(self, sort, args))
            .or_else(|| float::apply(self, sort, args))
            .unwrap_or_else(|| Value::zero(sort))
    }
}

fn apply_bool(op: Op, args: &[&Value]) -> Option<Value> {
    let value = match (op, args) {
        (Op::Not, [Value::Bool(a)]) => !a,
        (Op::And, _) => args.iter().all(|a| a.is_true()),
        (Op::Or, _) => args.iter().any(|a| a.is_true()),
        (Op::Eq, [a, b]) => a.same(b),
        (Op::Ite, [Value::Bool(c), a, b]) => {
            return Some(if *c { (*a).clone() } else { (*b).clone() });
        }
        _ => return None,
    };
    Some(Value::Bool(value))
}

fn apply_arithmetic(op: Op, args: &[&Value]) -> Option<Value> {
    use Value::{Bool, Int, Real};
    Some(match (op, args) {
        (Op::Add, [first, rest @ ..]) => rest.iter().fold((*first).clone(), |sum, v| sum.add(v)),
        (Op::Mul, [first, rest @ ..]) => rest.iter().fold((*first).clone(), |p, v| p.mul(v)),
        (Op::Le, [Int(a), Int(b)]) => Bool(a <= b),
        (Op::Le, [Real(a), Real(b)]) => Bool(a <= b),
        (Op::Lt, [Int(a), Int(b)]) => Bool(a < b),
        (Op::Lt, [Real(a), Real(b)]) => Bool(a < b),
        (Op::Div, [Int(a), Int(b)]) => Int(if b.is_zero() { IBig::ZERO } else { a.div_euclid(b) }),
        (Op::Div, [Real(a), Real(b)]) => Real(if b.is_zero() { RBig::ZERO } else { a / b }),
        (Op::Mod, [Int(a), Int(b)]) => {
            Int(if b.is_zero() { a.clone() } else { IBig::from(a.rem_euclid(b)) })
        }
        (Op::ToReal, [Int(a)]) => Real(RBig::from(a.clone())),
        (Op::Floor, [Real(a)]) => Int(a.floor()),
        _ => return None,
    })
}

fn apply_bits(op: Op, sort: &Sort, args: &[&Value]) -> Option<Value> {
    let a = match args.first()? {
        Value::BitVec(a) => *a,
        _ => return None,
    };
    let width = match sort {
        Sort::BitVec(width) => *width,
        _ => a.width(),
    };
    let unary = match op {
        Op::BvNot => Some(!a.unsigned()),
        Op::Extract { low } => Some(a.unsigned().checked_shr(low).unwrap_or(0)),
        Op::ZeroExtend => Some(a.unsigned()),
        Op::SignExtend => Some(a.signed() as u128),
        _ => None,
    };
    if let Some(bits) = unary {
        return Some(Value::bitvec(width, bits));
    }
    let b = match args {
        [_, Value::BitVec(b)] => *b,
        _ => return None,
    };
    if let Some(answer) = overflow::overflows(op, a, b) {
        return Some(Value::Bool(answer));
    }
    let bits = match op {
        Op::BvUlt => return Some(Value::Bool(a.unsigned() < b.unsigned())),
        Op::BvSlt => return Some(Value::Bool(a.signed() < b.signed())),
        Op::BvAnd => a.unsigned() & b.unsigned(),
        Op::BvOr => a.unsigned() | b.unsigned(),
        Op::BvXor => a.unsigned() ^ b.unsigned(),
        Op::BvUdiv => a.unsigned().checked_div(b.unsigned()).unwrap_or(u128::MAX),
        Op::BvUrem => a.unsigned().checked_rem(b.unsigned()).unwrap_or(a.unsigned()),
        Op::BvSdiv => signed_division(a, b),
        Op::BvSrem => a
            .signed()
            .checked_rem(b.signed())
            .map_or_else(|| if b.unsigned() == 0 { a.unsigned() } else { 0 }, |r| r as u128),
        Op::BvShl => shift(a, b, |bits, by| bits.checked_shl(by).unwrap_or(0)),
        Op::BvLshr => shift(a, b, |bits, by| bits.checked_shr(by).unwrap_or(0)),
        Op::BvAshr => {
            let by = u32::try_from(b.unsigned()).unwrap_or(127).min(127);
            (a.signed() >> by) as u128
        }
        Op::Concat => a.unsigned().checked_shl(b.width()).unwrap_or(0) | b.unsigned(),
        _ => return None,
    };
    Some(Value::bitvec(width, bits))
}

fn signed_division(a: BitVec, b: BitVec) -> u128 {
    match (b.unsigned(), a.signed().checked_div(b.signed())) {
        (0, _) if a.is_negative() => 1,
        (0, _) => u128::MAX,
        (_, Some(quotient)) => quotient as u128,
        (_, None) => a.unsigned(), // the one overflow: MIN / -1 at width 128
    }
}

fn shift(a: BitVec, b: BitVec, by: impl Fn(u128, u32) -> u128) -> u128 {
    match u32::try_from(b.unsigned()) {
        Ok(amount) if amount < a.width() => by(a.unsigned(), amount),
        _ => 0,
    }
}

fn apply_array(op: Op, sort: &Sort, args: &[&Value]) -> Option<Value> {
    match (op, args) {
        (Op::Select, [Value::Array(a), index]) => Some(a.get(index).clone()),
        (Op::Store, [Value::Array(a), index, element]) => {
            let mut a = a.clone();
            Arc::make_mut(&mut a).set((*index).clone(), (*element).clone());
            Some(Value::Array(a))
        }
        (Op::ConstArray, [element]) => match sort {
            Sort::Array(array) => Some(Value::Array(Arc::new(ArrayValue::new(
                array.index.clone(),
                (*element).clone(),
            )))),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(op: Op, width: u32, a: u128, b: u128) -> Value {
        op.apply(&Sort::BitVec(width), &[&Value::bitvec(width, a), &Value::bitvec(width, b)])
    }

    #[test]
    fn division_follows_smtlib_and_our_choice_at_zero() {
        let int = |op: Op, a: i32, b: i32| op.apply(&Sort::Int, &[&Value::int(a), &Value::int(b)]);
        for (a, b, q, r) in
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (5, 0, 0, 5)]
        {
            assert_eq!(int(Op::Div, a, b), Value::int(q), "{a} div {b}");
            assert_eq!(int(Op::Mod, a, b), Value::int(r), "{a} mod {b}");
        }
        assert_eq!(bits(Op::BvUdiv, 8, 5, 0), Value::bitvec(8, 255));
        assert_eq!(bits(Op::BvUrem, 8, 5, 0), Value::bitvec(8, 5));
        assert_eq!(bits(Op::BvSdiv, 8, 0x80, 0xff), Value::bitvec(8, 0x80));
        assert_eq!(bits(Op::BvSdiv, 128, 1 << 127, u128::MAX), Value::bitvec(128, 1 << 127));
        assert_eq!(bits(Op::BvSdiv, 8, 0xfb, 0), Value::bitvec(8, 1));
        assert_eq!(bits(Op::BvSrem, 8, 0xf9, 2), Value::bitvec(8, 0xff));
        assert_eq!(bits(Op::BvSrem, 128, 1 << 127, u128::MAX), Value::bitvec(128, 0));
        assert_eq!(bits(Op::BvSrem, 8, 0xf9, 0), Value::bitvec(8, 0xf9));
    }

    #[test]
    fn shifts_beyond_the_width() {
        assert_eq!(bits(Op::BvShl, 8, 1, 8), Value::bitvec(8, 0));
        assert_eq!(bits(Op::BvLshr, 8, 0x80, 7), Value::bitvec(8, 1));
        assert_eq!(bits(Op::BvAshr, 8, 0x80, 200), Value::bitvec(8, 0xff));
        assert_eq!(bits(Op::BvAshr, 128, 1 << 127, u128::MAX), Value::bitvec(128, u128::MAX));
    }
}
