//! The operations of SMT-LIB on bit-vectors, by those that terms have.

use term::{Op, Sort, Term, Terms, Value};

use crate::builtin::BitVectorOperation as Operation;

/// The arguments have the sorts that the checker demands.
pub(super) fn apply(terms: &mut Terms, operation: Operation, arguments: &[Term]) -> Term {
    match *arguments {
        [a] => unary(terms, operation, a),
        [a, b] => binary(terms, operation, a, b),
        _ => terms.bool(true),
    }
}

fn unary(terms: &mut Terms, operation: Operation, a: Term) -> Term {
    let width = width(terms, a);
    match operation {
        Operation::Not => terms.bv_not(a),
        Operation::Neg => terms.neg(a),
        Operation::Extract { high, low } => terms.extract(a, low, high - low + 1),
        Operation::ZeroExtend(more) => terms.zero_extend(a, width + more),
        Operation::SignExtend(more) => terms.sign_extend(a, width + more),
        Operation::RotateLeft(by) => rotate_left(terms, a, width, by % width),
        Operation::RotateRight(by) => rotate_left(terms, a, width, width - by % width),
        Operation::Repeat(times) => (1..times).fold(a, |so_far, _| terms.concat(so_far, a)),
        _ => a,
    }
}

fn rotate_left(terms: &mut Terms, a: Term, width: u32, by: u32) -> Term {
    if by.is_multiple_of(width) {
        return a;
    }
    let high = terms.extract(a, width - by, by);
    let low = terms.extract(a, 0, width - by);
    terms.concat(low, high)
}

fn binary(terms: &mut Terms, operation: Operation, a: Term, b: Term) -> Term {
    use Operation as O;
    let op = match operation {
        O::Add => return terms.add(&[a, b]),
        O::Sub => return terms.sub(a, b),
        O::Mul => return terms.mul(a, b),
        O::SMod => return signed_modulo(terms, a, b),
        O::Comp => {
            let equal = terms.eq(a, b);
            let (one, zero) = (Value::bitvec(1, 1), Value::bitvec(1, 0));
            let (one, zero) = (terms.constant(&one), terms.constant(&zero));
            return terms.ite(equal, one, zero);
        }
        O::Nand | O::Nor | O::Xnor => {
            let op = match operation {
                O::Nand => Op::BvAnd,
                O::Nor => Op::BvOr,
                _ => Op::BvXor,
            };
            let inner = terms.bit_operation(op, a, b);
            return terms.bv_not(inner);
        }
        O::ULt => return terms.bv_ult(a, b),
        O::SLt => return terms.bv_slt(a, b),
        O::UGt => return terms.bv_ult(b, a),
        O::SGt => return terms.bv_slt(b, a),
        O::ULe | O::UGe | O::SLe | O::SGe => {
            let greater = match operation {
                O::ULe => terms.bv_ult(b, a),
                O::UGe => terms.bv_ult(a, b),
                O::SLe => terms.bv_slt(b, a),
                _ => terms.bv_slt(a, b),
            };
            return terms.not(greater);
        }
        O::UDiv => Op::BvUdiv,
        O::URem => Op::BvUrem,
        O::SDiv => Op::BvSdiv,
        O::SRem => Op::BvSrem,
        O::And => Op::BvAnd,
        O::Or => Op::BvOr,
        O::Xor => Op::BvXor,
        O::Shl => Op::BvShl,
        O::LShr => Op::BvLshr,
        O::AShr => Op::BvAshr,
        _ => Op::Concat,
    };
    terms.bit_operation(op, a, b)
}

/// The remainder with the sign of the divisor: that of the division which rounds towards zero, and
/// the divisor more if the signs differ.
fn signed_modulo(terms: &mut Terms, a: Term, b: Term) -> Term {
    let zero = Value::zero(terms.sort(a));
    let zero = terms.constant(&zero);
    let remainder = terms.bit_operation(Op::BvSrem, a, b);
    let more = terms.add(&[remainder, b]);
    let exact = terms.eq(remainder, zero);
    let (a_negative, b_negative) = (terms.bv_slt(a, zero), terms.bv_slt(b, zero));
    let same_sign = terms.eq(a_negative, b_negative);
    let enough = terms.or(&[exact, same_sign]);
    terms.ite(enough, remainder, more)
}

fn width(terms: &Terms, term: Term) -> u32 {
    match terms.sort(term) {
        Sort::BitVec(width) => *width,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn against_arithmetic_on_all_nibbles() {
        let mut terms = Terms::new();
        let signed = |n: u128| if n < 8 { n as i32 } else { n as i32 - 16 };
        for (a, b) in (0..16u128).flat_map(|a| (0..16u128).map(move |b| (a, b))) {
            let (x, y) = (Value::bitvec(4, a), Value::bitvec(4, b));
            let (x, y) = (terms.constant(&x), terms.constant(&y));
            let mut value = |operation: Operation, arguments: &[Term]| {
                let term = apply(&mut terms, operation, arguments);
                terms.value(term).cloned().unwrap()
            };
            let modulo = match signed(b) {
                0 => signed(a),
                divisor => {
                    let r = signed(a).rem_euclid(divisor.abs());
                    if r != 0 && divisor < 0 { r + divisor } else { r }
                }
            };
            assert_eq!(
                value(Operation::SMod, &[x, y]),
                Value::number(&Sort::BitVec(4), &modulo.into()),
                "{a} smod {b}"
            );
            assert_eq!(value(Operation::Comp, &[x, y]), Value::bitvec(1, u128::from(a == b)));
            assert_eq!(value(Operation::Nand, &[x, y]), Value::bitvec(4, !(a & b)));
            assert_eq!(value(Operation::Xnor, &[x, y]), Value::bitvec(4, !(a ^ b)));
            assert_eq!(value(Operation::UGe, &[x, y]), Value::Bool(a >= b));
            assert_eq!(value(Operation::SLe, &[x, y]), Value::Bool(signed(a) <= signed(b)));
            assert_eq!(value(Operation::Repeat(3), &[x]), Value::bitvec(12, a * 0x111));
            let by = b as u32;
            let turned = (a << (by % 4)) | (a >> (4 - by % 4));
            assert_eq!(value(Operation::RotateLeft(by), &[x]), Value::bitvec(4, turned));
            let back = 8 - by % 4;
            assert_eq!(value(Operation::RotateRight(back), &[x]), Value::bitvec(4, turned));
        }
    }
}
