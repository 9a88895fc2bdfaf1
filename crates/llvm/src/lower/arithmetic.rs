//! Operators on numbers.

use term::{Op, Sort, Term};

use super::Lowering;
use super::body::Body;
use crate::module::{Binary, Comparison, FloatComparison, Instruction};

impl Body<'_, '_> {
    /// The value of an operator, after the checks that it needs. None if it is not modelled.
    pub fn binary(
        &mut self,
        instruction: &Instruction,
        operator: Binary,
        no_signed_wrap: bool,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        if operator == Binary::FloatRem {
            return self.float_remainder(instruction, a, b);
        }
        self.check_operator(instruction, operator, no_signed_wrap, a, b);
        self.lowering.operation(operator, a, b)
    }

    pub fn select(&mut self, instruction: &Instruction) -> Option<Vec<Term>> {
        let &[condition, then, otherwise] = instruction.operands.as_slice() else { return None };
        let condition = self.scalar(condition)?;
        if self.lowering.builder.terms.sort(condition) != &Sort::Bool {
            return None;
        }
        let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
        let pairs = then.into_iter().zip(otherwise);
        Some(pairs.map(|(a, b)| self.lowering.choice(condition, a, b)).collect())
    }
}

impl Lowering<'_> {
    /// The value of an operator without any checks. None if it is not modelled.
    pub fn operation(&mut self, operator: Binary, a: Term, b: Term) -> Option<Term> {
        if self.builder.terms.sort(a) != self.builder.terms.sort(b) {
            return None;
        }
        match self.builder.terms.sort(a) {
            Sort::Bool => self.bit_operation(operator, a, b),
            Sort::BitVec(_) => self.integer_operation(operator, a, b),
            Sort::Float(_) => self.float_operation(operator, a, b),
            _ => None,
        }
    }

    fn integer_operation(&mut self, operator: Binary, a: Term, b: Term) -> Option<Term> {
        let terms = &mut self.builder.terms;
        let op = match operator {
            Binary::Add => return Some(terms.add(&[a, b])),
            Binary::Sub => return Some(terms.sub(a, b)),
            Binary::Mul => return Some(terms.mul(a, b)),
            Binary::UnsignedDiv => Op::BvUdiv,
            Binary::SignedDiv => Op::BvSdiv,
            Binary::UnsignedRem => Op::BvUrem,
            Binary::SignedRem => Op::BvSrem,
            Binary::ShiftLeft => Op::BvShl,
            Binary::LogicalShiftRight => Op::BvLshr,
            Binary::ArithmeticShiftRight => Op::BvAshr,
            Binary::And => Op::BvAnd,
            Binary::Or => Op::BvOr,
            Binary::Xor => Op::BvXor,
            _ => return None,
        };
        Some(terms.bit_operation(op, a, b))
    }

    /// Operators on single bits.
    fn bit_operation(&mut self, operator: Binary, a: Term, b: Term) -> Option<Term> {
        let terms = &mut self.builder.terms;
        Some(match operator {
            Binary::And | Binary::Mul => terms.and(&[a, b]),
            Binary::Or => terms.or(&[a, b]),
            Binary::Xor | Binary::Add | Binary::Sub => {
                if terms.is_true(b) {
                    terms.not(a)
                } else {
                    terms.ne(a, b)
                }
            }
            _ => return None,
        })
    }

    fn float_operation(&mut self, operator: Binary, a: Term, b: Term) -> Option<Term> {
        let terms = &mut self.builder.terms;
        Some(match operator {
            Binary::FloatAdd => terms.fp_add(a, b),
            Binary::FloatSub => terms.fp_sub(a, b),
            Binary::FloatMul => terms.fp_mul(a, b),
            Binary::FloatDiv => terms.fp_div(a, b),
            _ => return None,
        })
    }

    pub fn compare(&mut self, comparison: Comparison, a: Term, b: Term) -> Term {
        let (a, b) = match self.builder.terms.sort(a) {
            Sort::Bool if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) => {
                (self.bool_bits(a, 1), self.bool_bits(b, 1))
            }
            _ => (a, b),
        };
        self.through_choice(a, |lowering, a| {
            lowering.through_choice(b, |lowering, b| lowering.plain_comparison(comparison, a, b))
        })
    }

    fn plain_comparison(&mut self, comparison: Comparison, a: Term, b: Term) -> Term {
        let terms = &mut self.builder.terms;
        match comparison {
            Comparison::Equal => terms.eq(a, b),
            Comparison::NotEqual => terms.ne(a, b),
            Comparison::UnsignedLess => terms.bv_ult(a, b),
            Comparison::UnsignedGreater => terms.bv_ult(b, a),
            Comparison::SignedLess => terms.bv_slt(a, b),
            Comparison::SignedGreater => terms.bv_slt(b, a),
            Comparison::UnsignedLessEqual => {
                let greater = terms.bv_ult(b, a);
                terms.not(greater)
            }
            Comparison::UnsignedGreaterEqual => {
                let less = terms.bv_ult(a, b);
                terms.not(less)
            }
            Comparison::SignedLessEqual => {
                let greater = terms.bv_slt(b, a);
                terms.not(greater)
            }
            Comparison::SignedGreaterEqual => {
                let less = terms.bv_slt(a, b);
                terms.not(less)
            }
        }
    }

    pub fn compare_floats(&mut self, comparison: FloatComparison, a: Term, b: Term) -> Term {
        let FloatComparison { equal, greater, less, unordered } = comparison;
        let terms = &mut self.builder.terms;
        // Of the four cases exactly one holds, so what is true for three of them is the negation of one.
        if unordered {
            let opposite =
                FloatComparison { equal: !equal, greater: !greater, less: !less, unordered: false };
            let opposite = self.compare_floats(opposite, a, b);
            return self.builder.terms.not(opposite);
        }
        match (equal, greater, less) {
            (false, false, false) => terms.bool(false),
            (true, false, false) => terms.fp_eq(a, b),
            (false, true, false) => terms.fp_lt(b, a),
            (false, false, true) => terms.fp_lt(a, b),
            (true, true, false) => terms.fp_le(b, a),
            (true, false, true) => terms.fp_le(a, b),
            (false, true, true) => {
                let (greater, less) = (terms.fp_lt(b, a), terms.fp_lt(a, b));
                terms.or(&[less, greater])
            }
            (true, true, true) => {
                let (a, b) = (terms.fp_is_nan(a), terms.fp_is_nan(b));
                let unordered = terms.or(&[a, b]);
                terms.not(unordered)
            }
        }
    }
}
