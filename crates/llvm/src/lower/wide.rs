//! Integers of more than 128 bits: the groups of bit-fields that clang loads at once, and `_BitInt`.
//!
//! They are lists of words of 64 bits, the least significant first; the last one has what is left. What
//! clang needs for bit-fields is modelled: moving, masking, shifting by constants, converting.

use term::Term;

use super::Lowering;
use super::body::Body;
use super::values::Parts;
use crate::module::{Binary, Cast, Comparison, Instruction, InstructionKind, Module, Ty, TyKind};

/// The width of a word.
const WORD: u32 = 64;
/// Integers of more words are not modelled.
const MOST_WORDS: u32 = 32;

/// What comes after the highest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Above {
    Zeros,
    Sign,
}

impl Module {
    /// The widths of the words of a wide integer.
    pub(super) fn words(&self, ty: Ty) -> Option<Vec<u32>> {
        match self.types[ty.index()].kind {
            TyKind::Integer(width) if width > term::MAX_WIDTH && width <= WORD * MOST_WORDS => {
                Some((0..width).step_by(WORD as usize).map(|low| WORD.min(width - low)).collect())
            }
            _ => None,
        }
    }
}

impl Body<'_, '_> {
    /// The value of an instruction of which an operand or the result is a wide integer.
    pub fn wide(&mut self, instruction: &Instruction) -> Option<Parts> {
        let module = self.lowering.module;
        let operand = *instruction.operands.first()?;
        let from = self.type_of(operand)?;
        module.words(instruction.ty).or_else(|| module.words(from))?;
        let a = self.value(operand)?;
        match instruction.kind {
            InstructionKind::Binary { operator, .. } => {
                let b = *instruction.operands.get(1)?;
                self.wide_operation(operator, instruction, &a, b)
            }
            InstructionKind::Cast(cast) => {
                let above = match cast {
                    Cast::SignExtend => Above::Sign,
                    Cast::ZeroExtend | Cast::Truncate | Cast::Bits => Above::Zeros,
                    _ => return None,
                };
                let a: Parts = a.iter().map(|&part| self.one_bit(part)).collect();
                let widths = match module.words(instruction.ty) {
                    Some(widths) => widths,
                    None => vec![module.scalar_width(instruction.ty)?],
                };
                let mut low = 0;
                let mut parts = Vec::new();
                for width in widths {
                    parts.push(self.lowering.range(&a, low, width, above));
                    low += i64::from(width);
                }
                if module.words(instruction.ty).is_none() {
                    let sort = module.scalar_sort(instruction.ty)?;
                    parts[0] = self.lowering.fit(parts[0], &sort);
                }
                Some(parts)
            }
            InstructionKind::Compare(comparison) => {
                let b = self.value(*instruction.operands.get(1)?)?;
                let pairs = a.into_iter().zip(b);
                let equal: Vec<Term> = pairs.map(|(a, b)| self.lowering.equal(a, b)).collect();
                let equal = self.lowering.builder.terms.and(&equal);
                match comparison {
                    Comparison::Equal => Some(vec![equal]),
                    Comparison::NotEqual => Some(vec![self.lowering.builder.terms.not(equal)]),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A truth value as a number of one bit.
    fn one_bit(&mut self, part: Term) -> Term {
        match self.lowering.builder.terms.sort(part) {
            term::Sort::Bool => self.lowering.bool_bits(part, 1),
            _ => part,
        }
    }

    fn wide_operation(
        &mut self,
        operator: Binary,
        instruction: &Instruction,
        a: &[Term],
        b: crate::module::Operand,
    ) -> Option<Parts> {
        let widths = self.lowering.module.words(instruction.ty)?;
        match operator {
            Binary::And | Binary::Or | Binary::Xor => {
                let b = self.value(b)?;
                a.iter().zip(b).map(|(&a, b)| self.lowering.operation(operator, a, b)).collect()
            }
            Binary::ShiftLeft | Binary::LogicalShiftRight | Binary::ArithmeticShiftRight => {
                let by = self.value(b)?;
                let lowest = match self.lowering.builder.terms.value(*by.first()?)? {
                    term::Value::BitVec(bits) => i64::try_from(bits.unsigned()).ok()?,
                    _ => return None,
                };
                let total: u32 = widths.iter().sum();
                if lowest >= i64::from(total) {
                    return None;
                }
                let (by, above) = match operator {
                    Binary::ShiftLeft => (-lowest, Above::Zeros),
                    Binary::LogicalShiftRight => (lowest, Above::Zeros),
                    _ => (lowest, Above::Sign),
                };
                let mut low = by;
                let mut parts = Vec::new();
                for width in widths {
                    parts.push(self.lowering.range(a, low, width, above));
                    low += i64::from(width);
                }
                Some(parts)
            }
            _ => None,
        }
    }
}

impl Module {
    fn scalar_width(&self, ty: Ty) -> Option<u32> {
        match self.types[ty.index()].kind {
            TyKind::Integer(width) if width <= term::MAX_WIDTH => Some(width),
            _ => None,
        }
    }
}

impl Lowering<'_> {
    /// A range of bits of a number given by words. Below the number there are zeros.
    fn range(&mut self, words: &[Term], low: i64, width: u32, above: Above) -> Term {
        let mut pieces: Vec<Term> = Vec::new();
        let (mut at, end) = (low, low + i64::from(width));
        if at < 0 {
            let zeros = end.min(0) - at;
            pieces.push(self.bits(zeros as u32, 0));
            at += zeros;
        }
        let mut start = 0;
        for &word in words {
            let next = start + i64::from(self.width(word));
            if at < end && at >= start && at < next {
                let count = end.min(next) - at;
                let piece = self.builder.terms.extract(word, (at - start) as u32, count as u32);
                pieces.push(piece);
                at += count;
            }
            start = next;
        }
        if at < end {
            let missing = (end - at) as u32;
            let fill = match (above, words.last()) {
                (Above::Sign, Some(&last)) => {
                    let sign = self.builder.terms.extract(last, self.width(last) - 1, 1);
                    self.sign_resize(sign, missing)
                }
                _ => self.bits(missing, 0),
            };
            pieces.push(fill);
        }
        let mut pieces = pieces.into_iter();
        let first = pieces.next().unwrap_or_else(|| self.bits(width, 0));
        pieces.fold(first, |low, high| self.builder.terms.concat(high, low))
    }
}
