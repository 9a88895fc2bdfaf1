//! Values of LLVM as terms.
//!
//! A value is a list of terms, one for each scalar in it. One bit is a `Bool`, a pointer has 64 bits, a small vector
//! is one bit-vector. Where values leave a function, and in memory, a bit is a byte.

use term::{Format, Op, Sort, Term, Value};

use super::Lowering;
use crate::module::{Module, Ty, TyKind};

/// A value: the scalars it consists of.
pub(super) type Parts = Vec<Term>;

/// How many scalars a value may have; arrays and structs of more are handled in memory by clang.
const MOST_PARTS: usize = 64;

/// A scalar in a type.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub sort: Sort,
    /// Where it is in memory, in bytes.
    pub offset: u64,
    pub ty: Ty,
}

impl Module {
    /// The scalars of a type, in order. None if they cannot be terms.
    pub(super) fn leaves(&self, ty: Ty) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.add_leaves(ty, 0, &mut leaves)?;
        Some(leaves)
    }

    fn add_leaves(&self, ty: Ty, offset: u64, leaves: &mut Vec<Leaf>) -> Option<()> {
        match &self.types[ty.index()].kind {
            TyKind::Void => {}
            TyKind::Array(element, count) => {
                let size = self.types[element.index()].size;
                for index in 0..*count {
                    self.add_leaves(
                        *element,
                        offset.checked_add(index.checked_mul(size)?)?,
                        leaves,
                    )?;
                    if leaves.len() > MOST_PARTS || index > MOST_PARTS as u64 {
                        return None;
                    }
                }
            }
            TyKind::Struct(fields) => {
                for &(field, at) in fields {
                    self.add_leaves(field, offset.checked_add(at)?, leaves)?;
                }
            }
            TyKind::Integer(width) if *width > term::MAX_WIDTH => {
                for (width, index) in self.words(ty)?.into_iter().zip(0..) {
                    leaves.push(Leaf { sort: Sort::BitVec(width), offset: offset + 8 * index, ty });
                }
            }
            _ => leaves.push(Leaf { sort: self.scalar_sort(ty)?, offset, ty }),
        }
        (leaves.len() <= MOST_PARTS).then_some(())
    }

    pub(super) fn scalar_sort(&self, ty: Ty) -> Option<Sort> {
        Some(match self.types[ty.index()].kind {
            TyKind::Integer(1) => Sort::Bool,
            TyKind::Integer(width) if width <= term::MAX_WIDTH => Sort::BitVec(width),
            TyKind::Single => Sort::Float(Format::Single),
            TyKind::Double | TyKind::Extended => Sort::Float(Format::Double),
            TyKind::Pointer => Sort::BitVec(64),
            TyKind::Vector(element, count) => {
                let width = match self.types[element.index()].kind {
                    TyKind::Integer(width) if width % 8 == 0 => width,
                    TyKind::Single => 32,
                    TyKind::Double | TyKind::Pointer => 64,
                    _ => return None,
                };
                let width = width.checked_mul(count)?;
                (width <= term::MAX_WIDTH && width > 0).then_some(Sort::BitVec(width))?
            }
            _ => return None,
        })
    }

    pub(super) fn size(&self, ty: Ty) -> u64 {
        self.types[ty.index()].size
    }
}

/// The sort of a value that leaves a function: whole bytes.
pub(super) fn carrier(sort: &Sort) -> Sort {
    match sort {
        Sort::Bool => Sort::BitVec(8),
        other => other.clone(),
    }
}

impl Lowering<'_> {
    pub fn bits(&mut self, width: u32, bits: u128) -> Term {
        self.builder.terms.constant(&Value::bitvec(width, bits))
    }

    pub fn word(&mut self, bits: u64) -> Term {
        self.bits(64, u128::from(bits))
    }

    pub fn zero(&mut self, sort: &Sort) -> Term {
        self.builder.terms.constant(&Value::zero(sort))
    }

    /// The bits of a scalar; 8 of them for a `Bool`.
    pub fn bits_of(&mut self, value: Term) -> Term {
        match self.builder.terms.sort(value) {
            Sort::Bool => self.bool_bits(value, 8),
            Sort::Float(_) => self.builder.terms.fp_to_bits(value),
            _ => value,
        }
    }

    /// The scalar of a sort that has these bits, of which there may be too many or too few.
    pub fn of_bits(&mut self, bits: Term, sort: &Sort) -> Term {
        match sort {
            Sort::Bool => {
                let width = self.width(bits);
                let zero = self.bits(width, 0);
                let equal = self.equal(bits, zero);
                self.builder.terms.not(equal)
            }
            Sort::Float(format) => {
                let bits = self.resize(bits, format.width());
                self.builder.terms.fp_from_bits(bits, *format)
            }
            Sort::BitVec(width) => self.resize(bits, *width),
            _ => self.zero(sort),
        }
    }

    /// Fits a scalar to a sort: the bits stay, as in a register.
    pub fn fit(&mut self, value: Term, sort: &Sort) -> Term {
        if self.builder.terms.sort(value) == sort {
            return value;
        }
        let bits = self.bits_of(value);
        self.of_bits(bits, sort)
    }

    pub fn width(&self, bits: Term) -> u32 {
        match self.builder.terms.sort(bits) {
            Sort::BitVec(width) => *width,
            _ => 1,
        }
    }

    pub fn bool_bits(&mut self, value: Term, width: u32) -> Term {
        let (one, zero) = (self.bits(width, 1), self.bits(width, 0));
        self.builder.terms.ite(value, one, zero)
    }

    /// Cuts off bits, or adds zeros.
    pub fn resize(&mut self, bits: Term, width: u32) -> Term {
        let old = self.width(bits);
        self.through_choice(bits, |lowering, bits| {
            let terms = &mut lowering.builder.terms;
            match old.cmp(&width) {
                std::cmp::Ordering::Less => terms.zero_extend(bits, width),
                std::cmp::Ordering::Equal => bits,
                std::cmp::Ordering::Greater => terms.extract(bits, 0, width),
            }
        })
    }

    pub fn sign_resize(&mut self, bits: Term, width: u32) -> Term {
        if self.width(bits) >= width {
            return self.resize(bits, width);
        }
        self.through_choice(bits, |lowering, bits| lowering.builder.terms.sign_extend(bits, width))
    }

    /// Applies a function to a term; if that is a choice of two constants, as the truth values of C are, to both of
    /// them. So comparing a comparison with zero is the comparison.
    pub fn through_choice(&mut self, value: Term, apply: impl Fn(&mut Self, Term) -> Term) -> Term {
        if let (Op::Ite, &[condition, then, otherwise]) =
            (self.builder.terms.op(value), self.builder.terms.args(value))
            && self.builder.terms.value(then).is_some()
            && self.builder.terms.value(otherwise).is_some()
        {
            let then = apply(self, then);
            let otherwise = apply(self, otherwise);
            return self.choice(condition, then, otherwise);
        }
        apply(self, value)
    }

    /// `condition ? then : otherwise`, of any sort.
    pub fn choice(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let terms = &mut self.builder.terms;
        if terms.is_true(then) && terms.is_false(otherwise) {
            return condition;
        }
        if terms.is_false(then) && terms.is_true(otherwise) {
            return terms.not(condition);
        }
        terms.ite(condition, then, otherwise)
    }

    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        self.through_choice(a, |lowering, a| {
            lowering.through_choice(b, |lowering, b| lowering.builder.terms.eq(a, b))
        })
    }
}
