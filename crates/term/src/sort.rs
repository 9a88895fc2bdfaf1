//! Sorts: the types of terms.

use std::fmt;
use std::sync::Arc;

use crate::float::Format;

/// The largest supported width of a bit-vector.
pub const MAX_WIDTH: u32 = 128;

/// The type of a term or of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// Mathematical integers.
    Int,
    /// Mathematical (rational) reals.
    Real,
    /// Bit-vectors of a width between 1 and [`MAX_WIDTH`].
    BitVec(u32),
    /// Floating-point numbers of IEEE 754.
    Float(Format),
    /// Total maps from an index to an element.
    Array(Arc<ArraySort>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArraySort {
    pub index: Sort,
    pub element: Sort,
}

impl Sort {
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new(ArraySort { index, element }))
    }

    /// How many bits a scalar of a machine has; one that is no number has one.
    pub fn bits(&self) -> u32 {
        match self {
            Sort::BitVec(width) => *width,
            Sort::Float(format) => format.width(),
            _ => 1,
        }
    }

    /// Whether sums and products of this sort make sense: those of a ring, so not those of floats.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Sort::Int | Sort::Real | Sort::BitVec(_))
    }

    /// How many values there are, if that is a number below 2^128.
    pub fn cardinality(&self) -> Option<u128> {
        match self {
            Sort::Bool => Some(2),
            Sort::BitVec(width) => 1u128.checked_shl(*width),
            Sort::Float(format) => Some(format.cardinality()),
            Sort::Int | Sort::Real => None,
            Sort::Array(sort) => {
                let elements = sort.element.cardinality()?;
                let indices = u32::try_from(sort.index.cardinality()?).ok()?;
                elements.checked_pow(indices)
            }
        }
    }
}

/// Prints the sort in SMT-LIB syntax.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(format) => {
                write!(f, "(_ FloatingPoint {} {})", format.exponent_bits(), format.precision())
            }
            Sort::Array(sort) => write!(f, "(Array {} {})", sort.index, sort.element),
        }
    }
}
