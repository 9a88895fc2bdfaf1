//! Constructors. Each simplifies as it builds: constants fold, neutral elements vanish, arguments of
//! commutative operators are sorted, sums are linear forms, comparisons have their constant on the
//! right. [`Terms::make`] rebuilds any node through them.

mod array;
mod bits;
mod boolean;
mod compare;
mod float;
mod overflow;
mod slices;

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

/// Conjunctions, disjunctions, sums and products of this many parts are not flattened into another:
/// building one of n parts, part by part, stays linear in n.
pub(crate) const LONGEST: usize = 64;

impl Terms {
    /// The term with this operator, sort and arguments, simplified.
    pub fn make(&mut self, op: Op, sort: &Sort, args: &[Term]) -> Term {
        match (op, args) {
            (Op::Const(_) | Op::Var(_), _) => self.intern(op, sort, args),
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(args),
            (Op::Or, _) => self.or(args),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Le, &[a, b]) => self.le(a, b),
            (Op::Lt, &[a, b]) => self.lt(a, b),
            (Op::Add, _) => self.add(args),
            (Op::Mul, [_, ..]) => self.product(args),
            (Op::Div, &[a, b]) => self.div(a, b),
            (Op::Mod, &[a, b]) => self.modulo(a, b),
            (Op::Floor, &[a]) => self.floor(a),
            (Op::BvNot, &[a]) => self.bv_not(a),
            (Op::Select, &[a, i]) => self.select(a, i),
            (Op::Store, &[a, i, v]) => self.store(a, i, v),
            (Op::Extract { low }, &[a]) => match sort {
                Sort::BitVec(width) => self.extract(a, low, *width),
                _ => a,
            },
            (Op::ZeroExtend | Op::SignExtend, &[a]) => self.extend(op, sort, a),
            (
                Op::BvSaddOverflow
                | Op::BvSsubOverflow
                | Op::BvSmulOverflow
                | Op::BvUaddOverflow
                | Op::BvUsubOverflow
                | Op::BvUmulOverflow,
                &[a, b],
            ) => self.overflow(op, a, b),
            (_, &[a, b]) if self.is_bit_operation(a, b) => self.bit_operation(op, a, b),
            _ => match self.make_float(op, sort, args) {
                Some(float) => float,
                None => self.plain(op, sort, args),
            },
        }
    }

    /// A node that is only folded if all its arguments are constants.
    fn plain(&mut self, op: Op, sort: &Sort, args: &[Term]) -> Term {
        let values: Option<Vec<&Value>> = args.iter().map(|&a| self.value(a)).collect();
        match values {
            Some(values) if !args.is_empty() => {
                let value = op.apply(sort, &values);
                self.constant(&value)
            }
            _ => self.intern(op, sort, args),
        }
    }

    fn zero(&mut self, sort: &Sort) -> Term {
        self.constant(&Value::zero(sort))
    }
}
