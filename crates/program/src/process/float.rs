//! Operations on one floating-point number, with the meaning of [`term::Op::apply`]. Numbers are
//! canonical: there is one NaN.

use term::{Format, Op};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FloatOp {
    Neg,
    Abs,
    Sqrt,
    IsNan,
    FromBits,
    FromSigned,
    FromUnsigned,
    ToSigned,
    ToUnsigned,
    ToSingle,
    SingleNeg,
    SingleAbs,
    SingleSqrt,
    SingleIsNan,
    SingleFromBits,
    SingleFromSigned,
    SingleFromUnsigned,
    SingleToSigned,
    SingleToUnsigned,
    SingleToDouble,
}

pub(super) fn canonical(x: f64) -> u64 {
    if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits() }
}

pub(super) fn canonical_single(x: f32) -> u64 {
    if x.is_nan() { 0x7fc0_0000 } else { u64::from(x.to_bits()) }
}

pub(super) fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn signed(a: u64, s: u8) -> i64 {
    ((a << s) as i64) >> s
}

impl FloatOp {
    /// The operation on numbers of this format.
    pub fn of(op: Op, format: Format) -> Option<FloatOp> {
        use FloatOp::*;
        let (of_double, of_single) = match op {
            Op::FpNeg => (Neg, SingleNeg),
            Op::FpAbs => (Abs, SingleAbs),
            Op::FpSqrt => (Sqrt, SingleSqrt),
            Op::FpIsNan => (IsNan, SingleIsNan),
            Op::FpFromBits => (FromBits, SingleFromBits),
            Op::FpFromSigned => (FromSigned, SingleFromSigned),
            Op::FpFromUnsigned => (FromUnsigned, SingleFromUnsigned),
            Op::FpToSigned => (ToSigned, SingleToSigned),
            Op::FpToUnsigned => (ToUnsigned, SingleToUnsigned),
            Op::FpConvert => (ToSingle, SingleToDouble),
            _ => return None,
        };
        Some(match format {
            Format::Double => of_double,
            Format::Single => of_single,
        })
    }

    pub fn apply(self, s: u8, a: u64) -> u64 {
        use FloatOp::*;
        let x = f64::from_bits(a);
        match self {
            Neg => canonical(-x),
            Abs => canonical(x.abs()),
            Sqrt => canonical(x.sqrt()),
            IsNan => x.is_nan().into(),
            FromBits => canonical(x),
            FromSigned => canonical(signed(a, s) as f64),
            FromUnsigned => canonical(a as f64),
            ToSigned => to_signed(x, s),
            ToUnsigned => to_unsigned(x, s),
            ToSingle => canonical_single(x as f32),
            SingleNeg => canonical_single(-single(a)),
            SingleAbs => canonical_single(single(a).abs()),
            SingleSqrt => canonical_single(single(a).sqrt()),
            SingleIsNan => single(a).is_nan().into(),
            SingleFromBits => canonical_single(single(a)),
            SingleFromSigned => canonical_single(signed(a, s) as f32),
            SingleFromUnsigned => canonical_single(a as f32),
            SingleToSigned => to_signed(single(a).into(), s),
            SingleToUnsigned => to_unsigned(single(a).into(), s),
            SingleToDouble => canonical(single(a).into()),
        }
    }

    /// The bits of the result.
    pub fn mask(self, s: u8) -> u64 {
        use FloatOp::*;
        match self {
            IsNan | SingleIsNan => 1,
            ToSigned | ToUnsigned | SingleToSigned | SingleToUnsigned => u64::MAX >> s,
            Neg | Abs | Sqrt | FromBits | FromSigned | FromUnsigned | SingleToDouble => u64::MAX,
            ToSingle | SingleNeg | SingleAbs | SingleSqrt | SingleFromBits | SingleFromSigned
            | SingleFromUnsigned => u32::MAX.into(),
        }
    }
}

// Powers of two are exact, and a comparison with NaN is false.

fn to_signed(x: f64, s: u8) -> u64 {
    let (x, last) = (x.trunc(), 1u64 << (63 - s));
    let end = last as f64;
    if -end <= x && x < end { x as i64 as u64 & u64::MAX >> s } else { last }
}

fn to_unsigned(x: f64, s: u8) -> u64 {
    let (x, last) = (x.trunc(), 1u64 << (63 - s));
    if 0.0 <= x && x < 2.0 * last as f64 { x as u64 } else { last }
}
