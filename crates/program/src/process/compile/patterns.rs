//! How a term is computed: which instruction it becomes, from which other terms.

use term::{Format, Op, Sort, Term, Value};

use super::super::float::FloatOp;
use super::super::instruction::{Binary, Immediate};
use super::Compiler;

#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Variable,
    Constant(u128),
    /// The same bits as another term.
    Alias(Term),
    Binary(Binary, u8, Term, Term),
    Immediate(Immediate, u8, Term, i32),
    /// An associative operation on several terms.
    Fold(Binary, u8, Vec<Term>),
    Sum(u8, Vec<Part>),
    Select(Term, Term, Term),
    SignExtend(Term),
    Extract(Term, u8),
    Concat(Term, Term),
    Float(FloatOp, u8, Term),
    Generic,
}

/// A part of a sum.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Plus(Term),
    Minus(Term),
    Times(Term, u16),
    Constant(i32),
}

impl Part {
    pub fn term(self) -> Option<Term> {
        match self {
            Part::Plus(term) | Part::Minus(term) | Part::Times(term, _) => Some(term),
            Part::Constant(_) => None,
        }
    }
}

impl Pattern {
    /// The terms whose values are needed.
    pub fn operands(&self) -> Vec<Term> {
        match self {
            Pattern::Variable | Pattern::Constant(_) | Pattern::Generic => Vec::new(),
            Pattern::Alias(a)
            | Pattern::Immediate(_, _, a, _)
            | Pattern::SignExtend(a)
            | Pattern::Float(_, _, a)
            | Pattern::Extract(a, _) => vec![*a],
            Pattern::Binary(_, _, a, b) | Pattern::Concat(a, b) => vec![*a, *b],
            Pattern::Select(c, a, b) => vec![*c, *a, *b],
            Pattern::Fold(_, _, terms) => terms.clone(),
            Pattern::Sum(_, parts) => parts.iter().filter_map(|part| part.term()).collect(),
        }
    }
}

impl Compiler<'_> {
    pub(super) fn pattern(&self, term: Term) -> Pattern {
        let op = self.terms.op(term);
        if matches!(op, Op::Var(_)) {
            return Pattern::Variable;
        }
        if let Some(bits) = self.constant(term) {
            return Pattern::Constant(bits);
        }
        let arguments = self.terms.args(term);
        let wide = |&a: &Term| self.width(a) > 64;
        if wide(&term) || arguments.iter().any(wide) {
            return Pattern::Generic;
        }
        let own = self.shift(term);
        match (op, arguments) {
            (Op::Not, &[a]) => Pattern::Immediate(Immediate::XorI, own, a, 1),
            (Op::BvNot, &[a]) => Pattern::Immediate(Immediate::XorI, own, a, -1),
            (Op::And, [_, _, ..]) => Pattern::Fold(Binary::And, own, arguments.to_vec()),
            (Op::Or, [_, _, ..]) => Pattern::Fold(Binary::Or, own, arguments.to_vec()),
            (Op::Ite, &[c, a, b]) => Pattern::Select(c, a, b),
            (Op::Add, [_, _, ..]) => Pattern::Sum(own, self.parts(arguments)),
            (Op::Mul, [_, _, ..]) => self.product(own, arguments),
            (Op::ZeroExtend | Op::FpToBits, &[a]) => Pattern::Alias(a),
            (Op::SignExtend, &[a]) => Pattern::SignExtend(a),
            (Op::Extract { low }, &[a]) => Pattern::Extract(a, low as u8),
            (Op::Concat, &[a, b]) => Pattern::Concat(a, b),
            (_, &[a, b]) => self.binary(op, term, a, b),
            (_, &[a]) => self.float(op, term, a).unwrap_or(Pattern::Generic),
            _ => Pattern::Generic,
        }
    }

    fn float(&self, op: Op, term: Term, a: Term) -> Option<Pattern> {
        let (format, s) = match (self.terms.sort(a), self.terms.sort(term)) {
            (Sort::Float(format), _) => (*format, self.shift(term)),
            (_, Sort::Float(format)) => (*format, self.shift(a)),
            _ => return None,
        };
        Some(Pattern::Float(FloatOp::of(op, format)?, s, a))
    }

    /// 64 minus the width.
    pub(super) fn shift(&self, term: Term) -> u8 {
        64u32.saturating_sub(self.width(term)) as u8
    }

    pub(super) fn constant(&self, term: Term) -> Option<u128> {
        match self.terms.value(term)? {
            Value::Bool(value) => Some(u128::from(*value)),
            Value::BitVec(value) => Some(value.unsigned()),
            Value::Float(value) => Some(u128::from(value.bits())),
            Value::Int(_) | Value::Real(_) | Value::Array(_) => None,
        }
    }

    /// A constant that fits an instruction: sign-extended, and then cut to its width, it is the value.
    pub(super) fn immediate(&self, term: Term) -> Option<i32> {
        let (bits, s) = (u64::try_from(self.constant(term)?).ok()?, self.shift(term));
        i32::try_from((bits << s) as i64 >> s).ok()
    }

    fn parts(&self, arguments: &[Term]) -> Vec<Part> {
        let part = |&argument: &Term| {
            if let Some(c) = self.immediate(argument) {
                return Part::Constant(c);
            }
            match (self.terms.op(argument), self.terms.args(argument)) {
                (Op::Mul, &[a, b]) => {
                    let (c, other) = match (self.immediate(a), self.immediate(b)) {
                        (Some(c), _) => (c, b),
                        (None, Some(c)) => (c, a),
                        _ => return Part::Plus(argument),
                    };
                    match (c, u16::try_from(c)) {
                        (-1, _) => Part::Minus(other),
                        (_, Ok(scale)) => Part::Times(other, scale),
                        _ => Part::Plus(argument),
                    }
                }
                _ => Part::Plus(argument),
            }
        };
        let mut parts: Vec<Part> = arguments.iter().map(part).collect();
        // A sum begins with something to add to.
        match parts.iter().position(|part| matches!(part, Part::Plus(_))) {
            Some(first) => parts.swap(0, first),
            None => match parts.iter().position(|part| matches!(part, Part::Constant(_))) {
                Some(first) => parts.swap(0, first),
                None => {
                    if let (Some(first), Some(&term)) = (parts.first_mut(), arguments.first()) {
                        *first = Part::Plus(term);
                    }
                }
            },
        }
        parts
    }

    fn product(&self, s: u8, arguments: &[Term]) -> Pattern {
        if let &[a, b] = arguments {
            let (c, other) = match (self.immediate(a), self.immediate(b)) {
                (Some(c), _) => (c, b),
                (None, Some(c)) => (c, a),
                _ => return Pattern::Binary(Binary::Mul, s, a, b),
            };
            return match c {
                -1 => Pattern::Immediate(Immediate::SubFromI, s, other, 0),
                1.. if (c as u32).is_power_of_two() => {
                    Pattern::Immediate(Immediate::ShlI, s, other, c.trailing_zeros() as i32)
                }
                _ => Pattern::Immediate(Immediate::MulI, s, other, c),
            };
        }
        Pattern::Fold(Binary::Mul, s, arguments.to_vec())
    }

    fn binary(&self, op: Op, term: Term, a: Term, b: Term) -> Pattern {
        let s = self.shift(a);
        let double = matches!(self.terms.sort(a), Sort::Float(Format::Double));
        let either = |of_double, of_single| if double { of_double } else { of_single };
        let (operation, with_right, with_left) = match op {
            Op::Eq => (Binary::Eq, Some(Immediate::EqI), Some(Immediate::EqI)),
            Op::BvUlt => (Binary::Ult, Some(Immediate::UltI), Some(Immediate::UgtI)),
            Op::BvSlt => (Binary::Slt, Some(Immediate::SltI), Some(Immediate::SgtI)),
            Op::BvAnd => (Binary::And, Some(Immediate::AndI), Some(Immediate::AndI)),
            Op::BvOr => (Binary::Or, Some(Immediate::OrI), Some(Immediate::OrI)),
            Op::BvXor => (Binary::Xor, Some(Immediate::XorI), Some(Immediate::XorI)),
            Op::BvShl => (Binary::Shl, Some(Immediate::ShlI), None),
            Op::BvLshr => (Binary::Lshr, Some(Immediate::LshrI), None),
            Op::BvAshr => (Binary::Ashr, Some(Immediate::AshrI), None),
            Op::BvUdiv => (Binary::Udiv, None, None),
            Op::BvUrem => (Binary::Urem, None, None),
            Op::BvSdiv => (Binary::Sdiv, None, None),
            Op::BvSrem => (Binary::Srem, None, None),
            Op::BvSaddOverflow => (Binary::SaddOverflow, None, None),
            Op::BvSsubOverflow => (Binary::SsubOverflow, None, None),
            Op::BvSmulOverflow => (Binary::SmulOverflow, None, None),
            Op::BvUaddOverflow => (Binary::UaddOverflow, None, None),
            Op::BvUsubOverflow => (Binary::Ult, None, None),
            Op::BvUmulOverflow => (Binary::UmulOverflow, None, None),
            Op::FpAdd => (either(Binary::FAdd, Binary::SingleAdd), None, None),
            Op::FpSub => (either(Binary::FSub, Binary::SingleSub), None, None),
            Op::FpMul => (either(Binary::FMul, Binary::SingleMul), None, None),
            Op::FpDiv => (either(Binary::FDiv, Binary::SingleDiv), None, None),
            Op::FpEq => (either(Binary::FEq, Binary::SingleEq), None, None),
            Op::FpLt => (either(Binary::FLt, Binary::SingleLt), None, None),
            Op::FpLe => (either(Binary::FLe, Binary::SingleLe), None, None),
            _ => return Pattern::Generic,
        };
        let is_shift = matches!(op, Op::BvShl | Op::BvLshr | Op::BvAshr);
        match (with_right.zip(self.immediate(b)), with_left.zip(self.immediate(a))) {
            // A shift by less than the width needs no care.
            (Some((immediate, c)), _) if !is_shift || (0..64 - i32::from(s)).contains(&c) => {
                Pattern::Immediate(immediate, s, a, c)
            }
            (_, Some((immediate, c))) => Pattern::Immediate(immediate, s, b, c),
            _ => {
                debug_assert_eq!(self.terms.args(term).len(), 2);
                Pattern::Binary(operation, s, a, b)
            }
        }
    }
}
