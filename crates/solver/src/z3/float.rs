//! Floating-point terms for Z3.
//!
//! Z3 decides floats by turning them into bit-vectors, but its fast solver for bit-vectors does not
//! know how. So we have each formula turned before it is asserted. A variable is told to Z3 as the
//! bit-vector of its bits: then formulas can be turned one by one and still speak about the same
//! number, and models are read as those of bit-vectors.

use term::{Float, Format, Op, Rounding, Sort};
use z3_sys as z3;

use super::context::{Ast, Context};

/// The bit-vector that stands for a variable. No front end has such names.
pub fn variable_bits(c: &Context, name: &str, format: Format) -> Option<Ast> {
    c.variable(&format!("{name}\u{1}bits"), &Sort::BitVec(format.width()))
}

/// The number with these bits.
pub fn from_bits(c: &Context, bits: &Ast, format: Format) -> Option<Ast> {
    c.float_from_bits(bits, &Sort::Float(format))
}

pub fn constant(c: &Context, value: Float) -> Option<Ast> {
    let format = value.format();
    let bits = c.numeral(&value.bits().to_string(), &Sort::BitVec(format.width()))?;
    from_bits(c, &bits, format)
}

/// An operator with floating-point arguments or result; None for others.
pub fn operation(c: &Context, op: Op, sort: &Sort, argument: &Sort, args: &[Ast]) -> Option<Ast> {
    let nearest = c.rounding(Rounding::NearestEven)?;
    match (op, args) {
        (Op::FpAdd, [a, b]) => c.ternary(z3::Z3_mk_fpa_add, &nearest, a, b),
        // Z3 cannot turn a subtraction of numbers with known bits into bits; this is the same.
        (Op::FpSub, [a, b]) => {
            c.ternary(z3::Z3_mk_fpa_add, &nearest, a, &c.unary(z3::Z3_mk_fpa_neg, b)?)
        }
        (Op::FpMul, [a, b]) => c.ternary(z3::Z3_mk_fpa_mul, &nearest, a, b),
        (Op::FpDiv, [a, b]) => c.ternary(z3::Z3_mk_fpa_div, &nearest, a, b),
        (Op::FpNeg, [a]) => c.unary(z3::Z3_mk_fpa_neg, a),
        (Op::FpAbs, [a]) => c.unary(z3::Z3_mk_fpa_abs, a),
        (Op::FpSqrt, [a]) => c.binary(z3::Z3_mk_fpa_sqrt, &nearest, a),
        (Op::FpFma, [x, y, z]) => c.float_fma(&nearest, x, y, z),
        (Op::FpRound(mode), [a]) => {
            c.binary(z3::Z3_mk_fpa_round_to_integral, &c.rounding(mode)?, a)
        }
        (Op::FpEq, [a, b]) => c.binary(z3::Z3_mk_fpa_eq, a, b),
        (Op::FpLt, [a, b]) => c.binary(z3::Z3_mk_fpa_lt, a, b),
        (Op::FpLe, [a, b]) => c.binary(z3::Z3_mk_fpa_leq, a, b),
        (Op::FpIsNan, [a]) => c.unary(z3::Z3_mk_fpa_is_nan, a),
        (Op::FpFromSigned, [a]) => c.to_float(z3::Z3_mk_fpa_to_fp_signed, &nearest, a, sort),
        (Op::FpFromUnsigned, [a]) => c.to_float(z3::Z3_mk_fpa_to_fp_unsigned, &nearest, a, sort),
        (Op::FpConvert, [a]) => c.to_float(z3::Z3_mk_fpa_to_fp_float, &nearest, a, sort),
        (Op::FpFromBits, [a]) => c.float_from_bits(a, sort),
        (Op::FpToBits, [a]) => match argument {
            Sort::Float(format) => to_bits(c, a, *format),
            _ => None,
        },
        (Op::FpToSigned | Op::FpToUnsigned, [a]) => to_integer(c, op, sort, argument, a),
        _ => None,
    }
}

/// The bits; those of NaN are our choice.
pub fn to_bits(c: &Context, a: &Ast, format: Format) -> Option<Ast> {
    let nan = c.numeral(&format.nan().to_string(), &Sort::BitVec(format.width()))?;
    c.ite(&c.unary(z3::Z3_mk_fpa_is_nan, a)?, &nan, &c.unary(z3::Z3_mk_fpa_to_ieee_bv, a)?)
}

/// The integer part if it fits, else our choice: only the top bit is set.
fn to_integer(c: &Context, op: Op, sort: &Sort, argument: &Sort, a: &Ast) -> Option<Ast> {
    let (Sort::Float(format), Sort::BitVec(width)) = (argument, sort) else { return None };
    let ([low, high], make): (_, super::context::ToBits) = match op {
        Op::FpToSigned => (format.signed_range(*width), z3::Z3_mk_fpa_to_sbv),
        _ => (format.unsigned_range(*width), z3::Z3_mk_fpa_to_ubv),
    };
    let (low, high) = (constant(c, low)?, constant(c, high)?);
    let above = c.binary(z3::Z3_mk_fpa_lt, &low, a)?;
    let below = c.binary(z3::Z3_mk_fpa_lt, a, &high)?;
    let fits = c.nary(z3::Z3_mk_and, &[above, below])?;
    let integer = c.float_to_bits(make, &c.rounding(Rounding::TowardZero)?, a, *width)?;
    let indefinite = c.numeral(&(1u128 << (width - 1)).to_string(), sort)?;
    c.ite(&fits, &integer, &indefinite)
}
