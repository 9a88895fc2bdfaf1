//! Values: what terms evaluate to.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::sort::Sort;

/// A concrete value. Equality is equality of representation; for maps over finite index sorts use
/// [`Value::same`], which is equality of meaning.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(IBig),
    Real(RBig),
    BitVec(BitVec),
    Array(Arc<ArrayValue>),
}

/// A bit-vector; bits above the width are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitVec {
    width: u32,
    bits: u128,
}

/// A map that has one value at all but finitely many indices.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    pub index: Sort,
    pub default: Value,
    /// No entry repeats the default.
    entries: BTreeMap<Value, Value>,
}

impl BitVec {
    /// The low `width` bits of `bits`. Widths outside `1..=128` are brought into that range: front
    /// ends reject them before.
    pub fn new(width: u32, bits: u128) -> BitVec {
        let width = width.clamp(1, crate::sort::MAX_WIDTH);
        BitVec { width, bits: bits & (u128::MAX >> (128 - width)) }
    }

    pub fn width(self) -> u32 {
        self.width
    }

    pub fn unsigned(self) -> u128 {
        self.bits
    }

    pub fn signed(self) -> i128 {
        let shift = 128 - self.width;
        ((self.bits << shift) as i128) >> shift
    }

    pub fn is_negative(self) -> bool {
        self.bits >> (self.width - 1) == 1
    }
}

impl ArrayValue {
    pub fn new(index: Sort, default: Value) -> ArrayValue {
        ArrayValue { index, default, entries: BTreeMap::new() }
    }

    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    pub fn set(&mut self, index: Value, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }

    /// The indices whose element is not the default, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// Equality as functions: over a finite index sort the default may be shadowed everywhere.
    fn same(&self, other: &ArrayValue) -> bool {
        let keys: std::collections::BTreeSet<&Value> =
            self.entries.keys().chain(other.entries.keys()).collect();
        let covered = self.index.cardinality().is_some_and(|count| keys.len() as u128 >= count);
        (covered || self.default.same(&other.default))
            && keys.into_iter().all(|key| self.get(key).same(other.get(key)))
    }
}

impl Value {
    pub fn int(value: impl Into<IBig>) -> Value {
        Value::Int(value.into())
    }

    pub fn bitvec(width: u32, bits: u128) -> Value {
        Value::BitVec(BitVec::new(width, bits))
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::BitVec(b) => Sort::BitVec(b.width),
            Value::Array(a) => Sort::array(a.index.clone(), a.default.sort()),
        }
    }

    /// The value that stands for "nothing in particular": false, zero, the map to it.
    pub fn zero(sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Array(array) => Value::Array(Arc::new(ArrayValue::new(
                array.index.clone(),
                Value::zero(&array.element),
            ))),
            _ => Value::number(sort, &IBig::ZERO),
        }
    }

    /// The integer as a value of a numeric sort (modulo 2^width for bit-vectors).
    pub fn number(sort: &Sort, value: &IBig) -> Value {
        match sort {
            Sort::Real => Value::Real(RBig::from(value.clone())),
            Sort::BitVec(width) => Value::bitvec(*width, low_bits(value)),
            _ => Value::Int(value.clone()),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }

    pub fn is_zero(&self) -> bool {
        match self {
            Value::Int(i) => i.is_zero(),
            Value::Real(r) => r.is_zero(),
            Value::BitVec(b) => b.bits == 0,
            Value::Bool(_) | Value::Array(_) => false,
        }
    }

    pub fn is_one(&self) -> bool {
        match self {
            Value::Int(i) => i.is_one(),
            Value::Real(r) => r.is_one(),
            Value::BitVec(b) => b.bits == 1,
            Value::Bool(_) | Value::Array(_) => false,
        }
    }

    /// Equality of meaning.
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => a == b || a.same(b),
            _ => self == other,
        }
    }

    /// Sum of two numbers of one sort.
    pub fn add(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => Value::Int(a + b),
            (Value::Real(a), Value::Real(b)) => Value::Real(a + b),
            (Value::BitVec(a), Value::BitVec(b)) => {
                Value::bitvec(a.width, a.bits.wrapping_add(b.bits))
            }
            _ => self.clone(),
        }
    }

    /// Product of two numbers of one sort.
    pub fn mul(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => Value::Int(a * b),
            (Value::Real(a), Value::Real(b)) => Value::Real(a * b),
            (Value::BitVec(a), Value::BitVec(b)) => {
                Value::bitvec(a.width, a.bits.wrapping_mul(b.bits))
            }
            _ => self.clone(),
        }
    }

    pub fn neg(&self) -> Value {
        match self {
            Value::Int(a) => Value::Int(-a),
            Value::Real(a) => Value::Real(-a),
            Value::BitVec(a) => Value::bitvec(a.width, a.bits.wrapping_neg()),
            Value::Bool(_) | Value::Array(_) => self.clone(),
        }
    }
}

/// The value modulo 2^128.
fn low_bits(value: &IBig) -> u128 {
    use dashu_int::ops::RemEuclid;
    let modulus = IBig::ONE << 128usize;
    u128::try_from(value.rem_euclid(&modulus)).unwrap_or(0)
}

/// Prints the value as a person would write it: `-3`, `1/2`, `0x1fbv16` is `31`, maps as
/// `[0 := 1, else 0]`. Bit-vectors are printed unsigned.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::Real(r) if r.denominator().is_one() => write!(f, "{}.0", r.numerator()),
            Value::Real(r) => write!(f, "{}/{}", r.numerator(), r.denominator()),
            Value::BitVec(b) => write!(f, "{}bv{}", b.bits, b.width),
            Value::Array(a) => {
                f.write_str("[")?;
                for (index, element) in a.entries() {
                    write!(f, "{index} := {element}, ")?;
                }
                write!(f, "else {}]", a.default)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_vectors_wrap_and_sign_extend() {
        assert_eq!(BitVec::new(4, 0x1f).unsigned(), 15);
        assert_eq!(BitVec::new(4, 0xf).signed(), -1);
        assert_eq!(BitVec::new(128, u128::MAX).signed(), -1);
        assert_eq!(Value::number(&Sort::BitVec(8), &IBig::from(-1)), Value::bitvec(8, 255));
        let sum = Value::bitvec(128, u128::MAX).add(&Value::bitvec(128, 2));
        assert_eq!(sum, Value::bitvec(128, 1));
    }

    #[test]
    fn maps_over_finite_indices_are_equal_as_functions() {
        let map = |default: i32, at_false: i32, at_true: i32| {
            let mut a = ArrayValue::new(Sort::Bool, Value::int(default));
            a.set(Value::Bool(false), Value::int(at_false));
            a.set(Value::Bool(true), Value::int(at_true));
            Value::Array(Arc::new(a))
        };
        assert!(map(1, 1, 2).same(&map(2, 1, 2)));
        assert!(map(7, 1, 2).same(&map(9, 1, 2)));
        assert!(!map(1, 1, 2).same(&map(1, 2, 1)));
    }
}
