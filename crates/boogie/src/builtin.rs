//! Functions that stand for an operation of SMT-LIB on bit-vectors:
//! `function {:bvbuiltin "bvadd"} f(x: bv32, y: bv32) returns (bv32);`

use crate::types::Type;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitVectorOperation {
    Add,
    Sub,
    Mul,
    UDiv,
    URem,
    SDiv,
    SRem,
    SMod,
    And,
    Or,
    Xor,
    Nand,
    Nor,
    Xnor,
    Shl,
    LShr,
    AShr,
    Not,
    Neg,
    ULt,
    ULe,
    UGt,
    UGe,
    SLt,
    SLe,
    SGt,
    SGe,
    /// Equality as a bit.
    Comp,
    Concat,
    /// Bits `high` to `low`, both included, as in SMT-LIB and unlike in Boogie.
    Extract {
        high: u32,
        low: u32,
    },
    /// The number of bits added.
    ZeroExtend(u32),
    SignExtend(u32),
    RotateLeft(u32),
    RotateRight(u32),
    /// The number of copies.
    Repeat(u32),
}

use BitVectorOperation as Op;

const PLAIN: &[(&str, Op)] = &[
    ("bvadd", Op::Add),
    ("bvsub", Op::Sub),
    ("bvmul", Op::Mul),
    ("bvudiv", Op::UDiv),
    ("bvurem", Op::URem),
    ("bvsdiv", Op::SDiv),
    ("bvsrem", Op::SRem),
    ("bvsmod", Op::SMod),
    ("bvand", Op::And),
    ("bvor", Op::Or),
    ("bvxor", Op::Xor),
    ("bvnand", Op::Nand),
    ("bvnor", Op::Nor),
    ("bvxnor", Op::Xnor),
    ("bvshl", Op::Shl),
    ("bvlshr", Op::LShr),
    ("bvashr", Op::AShr),
    ("bvnot", Op::Not),
    ("bvneg", Op::Neg),
    ("bvult", Op::ULt),
    ("bvule", Op::ULe),
    ("bvugt", Op::UGt),
    ("bvuge", Op::UGe),
    ("bvslt", Op::SLt),
    ("bvsle", Op::SLe),
    ("bvsgt", Op::SGt),
    ("bvsge", Op::SGe),
    ("bvcomp", Op::Comp),
    ("concat", Op::Concat),
];

impl BitVectorOperation {
    /// The operation called `bvadd`, `zero_extend 8` or `(_ zero_extend 8)`.
    pub(crate) fn named(name: &str) -> Option<Op> {
        let name = name.trim();
        let indexed = name
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
            .and_then(|rest| rest.trim().strip_prefix('_'));
        let mut words = indexed.unwrap_or(name).split_whitespace();
        let head = words.next()?;
        let numbers: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
        match (head, numbers?.as_slice()) {
            (_, []) => PLAIN.iter().find(|(name, _)| *name == head).map(|&(_, op)| op),
            ("zero_extend", &[n]) => Some(Op::ZeroExtend(n)),
            ("sign_extend", &[n]) => Some(Op::SignExtend(n)),
            ("rotate_left", &[n]) => Some(Op::RotateLeft(n)),
            ("rotate_right", &[n]) => Some(Op::RotateRight(n)),
            ("repeat", &[n]) => Some(Op::Repeat(n)),
            ("extract", &[high, low]) => Some(Op::Extract { high, low }),
            _ => None,
        }
    }

    /// The type of the result, if the operation takes such arguments.
    pub(crate) fn result(self, arguments: &[Type]) -> Option<Type> {
        let widths: Option<Vec<u32>> = arguments
            .iter()
            .map(|t| match t {
                Type::BitVector(width) => Some(*width),
                _ => None,
            })
            .collect();
        let widths = widths?;
        let width = match (self, widths.as_slice()) {
            (Op::Not | Op::Neg | Op::RotateLeft(_) | Op::RotateRight(_), &[n]) => n,
            (Op::ZeroExtend(more) | Op::SignExtend(more), &[n]) => n.checked_add(more)?,
            (Op::Repeat(times @ 1..), &[n]) => n.checked_mul(times)?,
            (Op::Extract { high, low }, &[n]) if low <= high && high < n => high - low + 1,
            (Op::Concat, &[m, n]) => m + n,
            (op, &[m, n]) if m == n => match op {
                Op::ULt | Op::ULe | Op::UGt | Op::UGe => return Some(Type::Bool),
                Op::SLt | Op::SLe | Op::SGt | Op::SGe => return Some(Type::Bool),
                Op::Comp => 1,
                Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::URem => n,
                Op::SDiv | Op::SRem | Op::SMod => n,
                Op::And | Op::Or | Op::Xor | Op::Nand | Op::Nor | Op::Xnor => n,
                Op::Shl | Op::LShr | Op::AShr => n,
                _ => return None,
            },
            _ => return None,
        };
        Some(Type::BitVector(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Type::BitVector as Bv;

    #[test]
    fn names() {
        let table = [
            ("bvadd", Some(Op::Add)),
            ("zero_extend 8", Some(Op::ZeroExtend(8))),
            ("(_ sign_extend 24)", Some(Op::SignExtend(24))),
            ("( _ extract 7 0 )", Some(Op::Extract { high: 7, low: 0 })),
            ("zero_extend", None),
            ("zero_extend x", None),
            ("bvadd 3", None),
            ("fp.add", None),
            ("", None),
        ];
        for (name, expected) in table {
            assert_eq!(Op::named(name), expected, "{name}");
        }
    }

    #[test]
    fn results() {
        let table: &[(Op, &[Type], Option<Type>)] = &[
            (Op::Add, &[Bv(8), Bv(8)], Some(Bv(8))),
            (Op::Add, &[Bv(8), Bv(9)], None),
            (Op::Add, &[Bv(8)], None),
            (Op::Add, &[Type::Int, Type::Int], None),
            (Op::ULt, &[Bv(8), Bv(8)], Some(Type::Bool)),
            (Op::Comp, &[Bv(8), Bv(8)], Some(Bv(1))),
            (Op::Neg, &[Bv(8)], Some(Bv(8))),
            (Op::Neg, &[Bv(8), Bv(8)], None),
            (Op::ZeroExtend(24), &[Bv(8)], Some(Bv(32))),
            (Op::ZeroExtend(u32::MAX), &[Bv(8)], None),
            (Op::Repeat(3), &[Bv(8)], Some(Bv(24))),
            (Op::Repeat(0), &[Bv(8)], None),
            (Op::Extract { high: 7, low: 4 }, &[Bv(8)], Some(Bv(4))),
            (Op::Extract { high: 8, low: 4 }, &[Bv(8)], None),
            (Op::Concat, &[Bv(8), Bv(3)], Some(Bv(11))),
        ];
        for (op, arguments, expected) in table {
            assert_eq!(op.result(arguments), *expected, "{op:?} {arguments:?}");
        }
    }
}
