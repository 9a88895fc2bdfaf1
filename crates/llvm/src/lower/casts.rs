//! Conversions.

use term::{Format, Sort, Term};

use super::Lowering;
use super::body::Body;
use crate::module::{Cast, Ty, TyKind};

impl Body<'_, '_> {
    pub fn cast(&mut self, cast: Cast, value: Term, from: Ty, to: Ty) -> Option<Term> {
        let module = self.lowering.module;
        let is_vector = |ty: Ty| matches!(module.types[ty.index()].kind, TyKind::Vector(..));
        let sort = module.scalar_sort(to)?;
        if (is_vector(from) || is_vector(to)) && cast != Cast::Bits {
            return None;
        }
        let is_extended = |ty: Ty| module.types[ty.index()].kind == TyKind::Extended;
        if is_extended(to) && !is_extended(from) {
            let location = self.function.instructions[self.current.index()].location;
            let span = self.lowering.span(location, super::sites::What::Operand);
            self.lowering.note_extended(span);
        }
        self.lowering.convert(cast, value, &sort)
    }
}

impl Lowering<'_> {
    fn convert(&mut self, cast: Cast, value: Term, to: &Sort) -> Option<Term> {
        let from = self.builder.terms.sort(value).clone();
        Some(match (cast, &from, to) {
            (Cast::Truncate, Sort::BitVec(_), Sort::Bool) => self.lowest_bit(value),
            (Cast::Truncate, Sort::BitVec(_), Sort::BitVec(width)) => self.resize(value, *width),
            (Cast::ZeroExtend, Sort::Bool, Sort::BitVec(width)) => self.bool_bits(value, *width),
            (Cast::ZeroExtend | Cast::Address, Sort::BitVec(_), Sort::BitVec(width)) => {
                self.resize(value, *width)
            }
            (Cast::SignExtend, Sort::Bool, Sort::BitVec(width)) => {
                let (ones, zero) = (self.bits(*width, u128::MAX), self.bits(*width, 0));
                self.builder.terms.ite(value, ones, zero)
            }
            (Cast::SignExtend, Sort::BitVec(_), Sort::BitVec(width)) => {
                self.sign_resize(value, *width)
            }
            (Cast::Float, Sort::Float(_), Sort::Float(format)) => {
                self.builder.terms.fp_convert(value, *format)
            }
            (Cast::FloatToSigned | Cast::FloatToUnsigned, Sort::Float(_), Sort::BitVec(width)) => {
                self.integer_of(cast, value, *width)
            }
            (Cast::FloatToSigned | Cast::FloatToUnsigned, Sort::Float(_), Sort::Bool) => {
                let bits = self.integer_of(cast, value, 8);
                self.lowest_bit(bits)
            }
            (Cast::SignedToFloat, _, Sort::Float(format)) => {
                let bits = self.number_bits(value, &Cast::SignExtend)?;
                self.builder.terms.fp_from_signed(bits, *format)
            }
            (Cast::UnsignedToFloat, _, Sort::Float(format)) => {
                let bits = self.number_bits(value, &Cast::ZeroExtend)?;
                self.builder.terms.fp_from_unsigned(bits, *format)
            }
            (Cast::Bits | Cast::Address, ..) => {
                let bits = self.bits_of(value);
                self.of_bits(bits, to)
            }
            _ => return None,
        })
    }

    fn lowest_bit(&mut self, value: Term) -> Term {
        self.through_choice(value, |lowering, value| {
            let bit = lowering.builder.terms.extract(value, 0, 1);
            let one = lowering.bits(1, 1);
            lowering.builder.terms.eq(bit, one)
        })
    }

    fn number_bits(&mut self, value: Term, extend: &Cast) -> Option<Term> {
        match self.builder.terms.sort(value) {
            Sort::Bool => self.convert(*extend, value, &Sort::BitVec(8)),
            Sort::BitVec(_) => Some(value),
            _ => None,
        }
    }

    /// Beyond the range of the target, C leaves the result open. This is what x86-64 has instructions for: to 32 and to
    /// 64 signed bits, of which the lowest are taken.
    fn integer_of(&mut self, cast: Cast, value: Term, width: u32) -> Term {
        let terms = &mut self.builder.terms;
        let wide = match (cast, width) {
            (Cast::FloatToUnsigned, 33..) => return terms.fp_to_unsigned(value, width),
            (Cast::FloatToUnsigned, 32) => terms.fp_to_signed(value, 64),
            (_, ..32) => terms.fp_to_signed(value, 32),
            _ => terms.fp_to_signed(value, width),
        };
        self.resize(wide, width)
    }

    /// The format of a floating-point term.
    pub fn format_of(&self, value: Term) -> Option<Format> {
        match self.builder.terms.sort(value) {
            Sort::Float(format) => Some(*format),
            _ => None,
        }
    }
}
