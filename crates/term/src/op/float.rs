//! What the operators on floating-point numbers do. Arithmetic rounds to the nearest number, ties to
//! even; the machine computes it so, in both formats.

use super::Op;
use crate::float::{Float, Format};
use crate::sort::Sort;
use crate::value::{BitVec, Value};

pub(super) fn apply(op: Op, sort: &Sort, args: &[&Value]) -> Option<Value> {
    let number = match (op, args) {
        (Op::FpFromSigned, [Value::BitVec(a)]) => from_signed(a.signed(), sort)?,
        (Op::FpFromUnsigned, [Value::BitVec(a)]) => from_unsigned(a.unsigned(), sort)?,
        (Op::FpFromBits, [Value::BitVec(a)]) => Float::new(format(sort)?, a.unsigned() as u64),
        (_, [Value::Float(a)]) => return unary(op, sort, *a),
        (_, [Value::Float(a), Value::Float(b)]) => return binary(op, *a, *b),
        (Op::FpFma, [Value::Float(a), Value::Float(b), Value::Float(c)]) => match a.format() {
            Format::Single => Float::single(a.to_f32().mul_add(b.to_f32(), c.to_f32())),
            Format::Double => Float::double(a.to_f64().mul_add(b.to_f64(), c.to_f64())),
        },
        _ => return None,
    };
    Some(Value::Float(number))
}

fn format(sort: &Sort) -> Option<Format> {
    match sort {
        Sort::Float(format) => Some(*format),
        _ => None,
    }
}

fn from_signed(value: i128, sort: &Sort) -> Option<Float> {
    Some(match format(sort)? {
        Format::Single => Float::single(value as f32),
        Format::Double => Float::double(value as f64),
    })
}

fn from_unsigned(value: u128, sort: &Sort) -> Option<Float> {
    Some(match format(sort)? {
        Format::Single => Float::single(value as f32),
        Format::Double => Float::double(value as f64),
    })
}

fn unary(op: Op, sort: &Sort, a: Float) -> Option<Value> {
    let number = match op {
        Op::FpNeg => a.negated(),
        Op::FpAbs => a.magnitude(),
        Op::FpSqrt => match a.format() {
            Format::Single => Float::single(a.to_f32().sqrt()),
            Format::Double => Float::double(a.to_f64().sqrt()),
        },
        Op::FpRound(mode) => a.round(mode),
        Op::FpConvert => a.convert(format(sort)?),
        Op::FpIsNan => return Some(Value::Bool(a.is_nan())),
        Op::FpToSigned => return to_bits(sort, a, |x, w| to_signed(x, w).map(|n| n as u128)),
        Op::FpToUnsigned => return to_bits(sort, a, to_unsigned),
        Op::FpToBits => return Some(Value::bitvec(a.format().width(), a.bits().into())),
        _ => return None,
    };
    Some(Value::Float(number))
}

fn binary(op: Op, a: Float, b: Float) -> Option<Value> {
    let (x, y) = (a.to_f64(), b.to_f64());
    let number = match op {
        Op::FpEq => return Some(Value::Bool(x == y)),
        Op::FpLt => return Some(Value::Bool(x < y)),
        Op::FpLe => return Some(Value::Bool(x <= y)),
        Op::FpAdd => both(a, b, |x, y| x + y, |x, y| x + y),
        Op::FpSub => both(a, b, |x, y| x - y, |x, y| x - y),
        Op::FpMul => both(a, b, |x, y| x * y, |x, y| x * y),
        Op::FpDiv => both(a, b, |x, y| x / y, |x, y| x / y),
        _ => return None,
    };
    Some(Value::Float(number))
}

fn both(a: Float, b: Float, single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64) -> Float {
    match a.format() {
        Format::Single => Float::single(single(a.to_f32(), b.to_f32())),
        Format::Double => Float::double(double(a.to_f64(), b.to_f64())),
    }
}

/// The integer, or what x86 gives where there is none: only the top bit is set.
fn to_bits(sort: &Sort, a: Float, to: impl Fn(f64, u32) -> Option<u128>) -> Option<Value> {
    let Sort::BitVec(width) = *sort else { return None };
    let indefinite = 1 << (width - 1);
    let bits = to(a.to_f64().trunc(), width).unwrap_or(indefinite);
    Some(Value::BitVec(BitVec::new(width, bits)))
}

// Powers of two are exact, and a comparison with NaN is false. In the range a cast does not saturate.

fn to_signed(integral: f64, width: u32) -> Option<i128> {
    let end = 2f64.powi(width as i32 - 1);
    (-end <= integral && integral < end).then_some(integral as i128)
}

fn to_unsigned(integral: f64, width: u32) -> Option<u128> {
    (0.0 <= integral && integral < 2f64.powi(width as i32)).then_some(integral as u128)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOUBLE: Sort = Sort::Float(Format::Double);
    const SINGLE: Sort = Sort::Float(Format::Single);

    #[test]
    fn single_precision_is_rounded_once() {
        // In double precision the sum is a tie in single precision that the exact sum is not.
        let a = Value::single(1.0);
        let b = Value::single(f32::from_bits(0x3380_0001)); // a bit more than half an ulp of 1
        let sum = Op::FpAdd.apply(&SINGLE, &[&a, &b]);
        assert_eq!(sum, Value::single(1.0 + f32::EPSILON));
        let tiny = Value::single(f32::from_bits(1));
        let half = Value::single(0.5);
        assert_eq!(Op::FpMul.apply(&SINGLE, &[&tiny, &half]), Value::single(0.0));
        let fused = Op::FpFma.apply(&SINGLE, &[&tiny, &half, &tiny]);
        assert_eq!(fused, Value::single(f32::from_bits(2)), "1.5 units are a tie");
        // An integer whose nearest double lies on a tie in single precision.
        let integer = Value::bitvec(64, (1 << 54) + (1 << 30) + 1);
        let direct = Op::FpFromSigned.apply(&SINGLE, &[&integer]);
        let over_double = Op::FpFromSigned.apply(&DOUBLE, &[&integer]);
        assert_ne!(direct, Op::FpConvert.apply(&SINGLE, &[&over_double]));
    }

    #[test]
    fn conversion_to_integers_is_total() {
        let to = |op: Op, width, value| op.apply(&Sort::BitVec(width), &[&Value::double(value)]);
        let signed = |width, value| to(Op::FpToSigned, width, value);
        let unsigned = |width, value| to(Op::FpToUnsigned, width, value);
        let bits = Value::bitvec;
        for nothing in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            for width in [1, 8, 32, 64, 128] {
                assert_eq!(signed(width, nothing), bits(width, 1 << (width - 1)));
                assert_eq!(unsigned(width, nothing), bits(width, 1 << (width - 1)));
            }
        }
        assert_eq!(signed(8, -128.9), bits(8, 0x80));
        assert_eq!(signed(8, 127.9), bits(8, 127));
        assert_eq!(signed(8, 128.0), bits(8, 0x80));
        assert_eq!(unsigned(8, 255.9), bits(8, 255));
        assert_eq!(unsigned(8, -0.9), bits(8, 0));
        assert_eq!(unsigned(8, -1.0), bits(8, 0x80));
        assert_eq!(signed(128, -(2f64.powi(127))), bits(128, 1 << 127));
        assert_eq!(unsigned(128, 2f64.powi(127) * 1.5), bits(128, 3 << 126));
        assert_eq!(signed(1, -1.0), bits(1, 1));
    }

    #[test]
    fn the_largest_integers_round() {
        let all = Value::bitvec(128, u128::MAX);
        let infinite = Op::FpFromUnsigned.apply(&SINGLE, &[&all]);
        assert_eq!(infinite, Value::single(f32::INFINITY));
        let rounded = Op::FpFromUnsigned.apply(&DOUBLE, &[&all]);
        assert_eq!(rounded, Value::double(2f64.powi(128)));
        assert_eq!(Op::FpFromSigned.apply(&DOUBLE, &[&all]), Value::double(-1.0));
    }

    #[test]
    fn comparisons_are_those_of_ieee() {
        let compare =
            |op: Op, a, b| op.apply(&Sort::Bool, &[&Value::double(a), &Value::double(b)]).is_true();
        assert!(compare(Op::FpEq, 0.0, -0.0) && compare(Op::FpLe, 0.0, -0.0));
        assert!(!compare(Op::FpLt, -0.0, 0.0) && !compare(Op::Eq, 0.0, -0.0));
        for op in [Op::FpEq, Op::FpLt, Op::FpLe] {
            assert!(!compare(op, f64::NAN, f64::NAN) && !compare(op, 1.0, f64::NAN));
        }
        assert!(compare(Op::Eq, f64::NAN, f64::NAN));
    }

    #[test]
    fn bits_of_a_nan_are_canonical() {
        let payload = Value::bitvec(32, 0xffc0_1234);
        let nan = Op::FpFromBits.apply(&SINGLE, &[&payload]);
        assert_eq!(nan, Value::single(f32::NAN));
        let bits = Op::FpToBits.apply(&Sort::BitVec(32), &[&nan]);
        assert_eq!(bits, Value::bitvec(32, 0x7fc0_0000));
    }
}
