//! Whether an operation on bit-vectors has a result that does not fit its width.

use super::Op;
use crate::value::BitVec;

/// The answer of an overflow predicate; None for other operators.
pub(super) fn overflows(op: Op, a: BitVec, b: BitVec) -> Option<bool> {
    let width = a.width();
    let (x, y) = (a.signed(), b.signed());
    let (u, v) = (a.unsigned(), b.unsigned());
    // What does not fit 128 bits does not fit fewer.
    let signed = |r: Option<i128>| r.is_none_or(|r| BitVec::new(width, r as u128).signed() != r);
    let unsigned = |r: Option<u128>| r.is_none_or(|r| BitVec::new(width, r).unsigned() != r);
    Some(match op {
        Op::BvSaddOverflow => signed(x.checked_add(y)),
        Op::BvSsubOverflow => signed(x.checked_sub(y)),
        Op::BvSmulOverflow => signed(x.checked_mul(y)),
        Op::BvUaddOverflow => unsigned(u.checked_add(v)),
        Op::BvUsubOverflow => u < v,
        Op::BvUmulOverflow => unsigned(u.checked_mul(v)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of small widths, against integers that are large enough.
    #[test]
    fn compared_with_larger_integers() {
        for width in 1..=5u32 {
            for n in 0..1u128 << (2 * width) {
                let a = BitVec::new(width, n);
                let b = BitVec::new(width, n >> width);
                let (min, max) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
                let signed = |r: i128| Some(r < min || r > max);
                let unsigned = |r: i128| Some(r < 0 || r > 2 * max + 1);
                let (x, y) = (a.signed(), b.signed());
                let (u, v) = (a.unsigned() as i128, b.unsigned() as i128);
                assert_eq!(overflows(Op::BvSaddOverflow, a, b), signed(x + y), "{a:?} {b:?}");
                assert_eq!(overflows(Op::BvSsubOverflow, a, b), signed(x - y), "{a:?} {b:?}");
                assert_eq!(overflows(Op::BvSmulOverflow, a, b), signed(x * y), "{a:?} {b:?}");
                assert_eq!(overflows(Op::BvUaddOverflow, a, b), unsigned(u + v), "{a:?} {b:?}");
                assert_eq!(overflows(Op::BvUsubOverflow, a, b), unsigned(u - v), "{a:?} {b:?}");
                assert_eq!(overflows(Op::BvUmulOverflow, a, b), unsigned(u * v), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn at_the_full_width() {
        let (min, ones) = (BitVec::new(128, 1 << 127), BitVec::new(128, u128::MAX));
        assert_eq!(overflows(Op::BvSmulOverflow, min, ones), Some(true));
        assert_eq!(overflows(Op::BvSaddOverflow, min, ones), Some(true));
        assert_eq!(overflows(Op::BvSsubOverflow, min, ones), Some(false));
        assert_eq!(overflows(Op::BvUmulOverflow, min, BitVec::new(128, 2)), Some(true));
        assert_eq!(overflows(Op::BvUaddOverflow, ones, BitVec::new(128, 0)), Some(false));
        assert_eq!(overflows(Op::Eq, ones, ones), None);
    }
}
