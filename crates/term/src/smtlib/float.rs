//! Floating-point numbers in SMT-LIB.

use crate::float::{Float, Format, Rounding};
use crate::op::Op;
use crate::sort::Sort;

/// A literal: sign, exponent and significand in binary.
pub(super) fn literal(value: Float) -> String {
    let format = value.format();
    let (exponent, stored) = (format.exponent_bits() as usize, format.precision() as usize - 1);
    if value.is_nan() {
        return format!("(_ NaN {exponent} {})", stored + 1);
    }
    let bits = format!("{:0width$b}", value.bits(), width = format.width() as usize);
    let (sign, rest) = bits.split_at(1);
    let (exponent, significand) = rest.split_at(exponent);
    format!("(fp #b{sign} #b{exponent} #b{significand})")
}

/// What SMT-LIB leaves open, with our choice.
pub(super) fn total(op: Op, sort: &Sort, format: Format, argument: &str) -> String {
    let width = if let Sort::BitVec(width) = sort { *width } else { 1 };
    let (range, partial) = match op {
        Op::FpToSigned => (format.signed_range(width), "to_sbv"),
        Op::FpToUnsigned => (format.unsigned_range(width), "to_ubv"),
        _ => {
            // Not of the standard, but Z3 has it.
            let nan = format.nan();
            return format!(
                "(ite (fp.isNaN {argument}) (_ bv{nan} {width}) (fp.to_ieee_bv {argument}))"
            );
        }
    };
    let [low, high] = range.map(literal);
    let indefinite = 1u128 << (width - 1);
    format!(
        "(ite (and (fp.lt {low} {argument}) (fp.lt {argument} {high})) \
         ((_ fp.{partial} {width}) RTZ {argument}) (_ bv{indefinite} {width}))"
    )
}

/// What stands before the arguments.
pub(super) fn head(op: Op, sort: &Sort) -> String {
    let to = |name: &str| match sort {
        Sort::Float(f) => format!("(_ {name} {} {})", f.exponent_bits(), f.precision()),
        _ => name.to_owned(),
    };
    let plain = match op {
        Op::FpAdd => "fp.add RNE",
        Op::FpSub => "fp.sub RNE",
        Op::FpMul => "fp.mul RNE",
        Op::FpDiv => "fp.div RNE",
        Op::FpNeg => "fp.neg",
        Op::FpAbs => "fp.abs",
        Op::FpSqrt => "fp.sqrt RNE",
        Op::FpFma => "fp.fma RNE",
        Op::FpRound(mode) => return format!("fp.roundToIntegral {}", name(mode)),
        Op::FpEq => "fp.eq",
        Op::FpLt => "fp.lt",
        Op::FpLe => "fp.leq",
        Op::FpIsNan => "fp.isNaN",
        Op::FpFromSigned | Op::FpConvert => return to("to_fp") + " RNE",
        Op::FpFromUnsigned => return to("to_fp_unsigned") + " RNE",
        Op::FpFromBits => return to("to_fp"),
        _ => "",
    };
    plain.to_owned()
}

fn name(mode: Rounding) -> &'static str {
    match mode {
        Rounding::NearestEven => "RNE",
        Rounding::TowardZero => "RTZ",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::NearestAway => "RNA",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Terms, to_smtlib};

    #[test]
    fn literals() {
        assert_eq!(literal(Float::single(f32::NAN)), "(_ NaN 8 24)");
        let half = format!("(fp #b1 #b01111110 #b{})", "0".repeat(23));
        assert_eq!(literal(Float::single(-0.5)), half);
    }

    #[test]
    fn operators() {
        let mut t = Terms::new();
        let x = t.var("x", &Sort::Float(Format::Single));
        let y = t.fp_convert(x, Format::Double);
        assert_eq!(to_smtlib(&t, y), "((_ to_fp 11 53) RNE |x|)");
        let root = t.fp_sqrt(x);
        let up = t.fp_round(Rounding::Up, root);
        assert_eq!(to_smtlib(&t, up), "(fp.roundToIntegral RTP (fp.sqrt RNE |x|))");
        let bits = t.fp_to_bits(x);
        let text = "(ite (fp.isNaN |x|) (_ bv2143289344 32) (fp.to_ieee_bv |x|))";
        assert_eq!(to_smtlib(&t, bits), text);
    }
}
