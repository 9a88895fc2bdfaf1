//! Values: what terms evaluate to.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::float::{Float, Format};
use crate::sort::Sort;
use crate::trie::{Trie, hash_of, mix};

/// A concrete value. Equality is equality of representation; for maps over finite index sorts use
/// [`Value::same`], which is equality of meaning.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(IBig),
    Real(RBig),
    BitVec(BitVec),
    Float(Float),
    Array(Arc<ArrayValue>),
}

/// A bit-vector; bits above the width are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitVec {
    width: u32,
    bits: u128,
}

/// A map that has one value at all but finitely many indices. A copy shares its cells with the
/// original, so that each of the many versions of a map that a loop writes is cheap.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    pub index: Sort,
    pub default: Value,
    /// No entry repeats the default.
    entries: Trie<Value, Value>,
    /// The sum of the hashes of the entries.
    hash: u64,
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
        ArrayValue { index, default, entries: Trie::default(), hash: 0 }
    }

    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(&canonical(index)).unwrap_or(&self.default)
    }

    pub fn set(&mut self, index: Value, element: Value) {
        let index = match index {
            Value::Array(_) => canonical(&index).into_owned(),
            _ => index,
        };
        let key = hash_of(&index);
        let entry = |element: &Value| mix(key ^ hash_of(element).rotate_left(17));
        let old = if element == self.default {
            self.entries.remove(&index)
        } else {
            self.hash = self.hash.wrapping_add(entry(&element));
            self.entries.insert(index, element)
        };
        if let Some(old) = old {
            self.hash = self.hash.wrapping_sub(entry(&old));
        }
    }

    /// The indices whose element is not the default, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        let mut entries = self.entries.entries();
        entries.sort_unstable_by_key(|(index, _)| *index);
        entries.into_iter()
    }

    /// How many indices have an element that is not the default.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether all elements are the default.
    pub fn is_empty(&self) -> bool {
        self.entries.len() == 0
    }

    /// Equality as functions: over a finite index sort the default may be shadowed everywhere.
    fn same(&self, other: &ArrayValue) -> bool {
        let entries = self.entries.entries().into_iter().chain(other.entries.entries());
        let keys: std::collections::BTreeSet<&Value> = entries.map(|(index, _)| index).collect();
        let covered = self.index.cardinality().is_some_and(|count| keys.len() as u128 >= count);
        (covered || self.default.same(&other.default))
            && keys.into_iter().all(|key| self.get(key).same(other.get(key)))
    }

    /// The same function with the most frequent element as its default, the smallest of several.
    fn canonical(&self) -> ArrayValue {
        let default = canonical(&self.default).into_owned();
        let mut result = ArrayValue::new(self.index.clone(), default);
        for (index, element) in self.entries.entries() {
            result.set(index.clone(), canonical(element).into_owned());
        }
        let Some(indices) = self.index.cardinality() else { return result };
        let others = indices.saturating_sub(result.len() as u128);
        if others > result.len() as u128 {
            return result;
        }
        let mut frequency = BTreeMap::from([(&result.default, others)]);
        for (_, element) in result.entries.entries() {
            *frequency.entry(element).or_default() += 1;
        }
        let best = frequency.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
        let Some((&best, _)) = best else { return result };
        let mut chosen = ArrayValue::new(self.index.clone(), best.clone());
        for index in (0..indices).map(|n| nth(&self.index, n)) {
            let element = result.get(&index).clone();
            chosen.set(index, element);
        }
        chosen
    }
}

/// The representative of the values that are the [same](Value::same): what a map is indexed by.
fn canonical(value: &Value) -> Cow<'_, Value> {
    match value {
        Value::Array(map) => Cow::Owned(Value::Array(Arc::new(map.canonical()))),
        _ => Cow::Borrowed(value),
    }
}

/// The values of a finite sort, numbered.
fn nth(sort: &Sort, n: u128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(n == 1),
        Sort::BitVec(width) => Value::bitvec(*width, n),
        Sort::Array(array) => {
            let mut map = ArrayValue::new(array.index.clone(), Value::zero(&array.element));
            let radix = array.element.cardinality().unwrap_or(1);
            let mut rest = n;
            for index in 0..array.index.cardinality().unwrap_or(0) {
                map.set(nth(&array.index, index), nth(&array.element, rest % radix));
                rest /= radix;
            }
            canonical(&Value::Array(Arc::new(map))).into_owned()
        }
        Sort::Float(format) => Value::Float(format.nth(n)),
        Sort::Int | Sort::Real => Value::zero(sort),
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        self.hash == other.hash
            && self.index == other.index
            && self.default == other.default
            && self.entries == other.entries
    }
}

impl Eq for ArrayValue {}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.default.hash(state);
        self.hash.hash(state);
    }
}

impl PartialOrd for ArrayValue {
    fn partial_cmp(&self, other: &ArrayValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ArrayValue {
    fn cmp(&self, other: &ArrayValue) -> Ordering {
        let start = (&self.index, &self.default).cmp(&(&other.index, &other.default));
        start.then_with(|| self.entries().cmp(other.entries()))
    }
}

impl Value {
    pub fn int(value: impl Into<IBig>) -> Value {
        Value::Int(value.into())
    }

    pub fn bitvec(width: u32, bits: u128) -> Value {
        Value::BitVec(BitVec::new(width, bits))
    }

    pub fn single(value: f32) -> Value {
        Value::Float(Float::single(value))
    }

    pub fn double(value: f64) -> Value {
        Value::Float(Float::double(value))
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::BitVec(b) => Sort::BitVec(b.width),
            Value::Float(x) => Sort::Float(x.format()),
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

    /// The integer as a value of a numeric sort: modulo 2^width for bit-vectors, the nearest float.
    pub fn number(sort: &Sort, value: &IBig) -> Value {
        match sort {
            Sort::Real => Value::Real(RBig::from(value.clone())),
            Sort::BitVec(width) => Value::bitvec(*width, low_bits(value)),
            Sort::Float(Format::Single) => Value::single(value.to_f32().value()),
            Sort::Float(Format::Double) => Value::double(value.to_f64().value()),
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
            Value::Float(x) => x.bits() == 0,
            Value::Bool(_) | Value::Array(_) => false,
        }
    }

    pub fn is_one(&self) -> bool {
        match self {
            Value::Int(i) => i.is_one(),
            Value::Real(r) => r.is_one(),
            Value::BitVec(b) => b.bits == 1,
            Value::Bool(_) | Value::Float(_) | Value::Array(_) => false,
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
            Value::Bool(_) | Value::Float(_) | Value::Array(_) => self.clone(),
        }
    }
}

/// The value modulo 2^128.
fn low_bits(value: &IBig) -> u128 {
    use dashu_int::ops::RemEuclid;
    // Nearly all are small, and there are many.
    if let Ok(small) = i128::try_from(value) {
        return small as u128;
    }
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
            Value::Float(x) => write!(f, "{x}"),
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
        // As indices they are one.
        let sort = map(0, 1, 2).sort();
        for (a, b) in [(map(1, 1, 2), map(2, 1, 2)), (map(7, 1, 2), map(9, 1, 2))] {
            let mut outer = ArrayValue::new(sort.clone(), Value::int(0));
            outer.set(a, Value::int(5));
            assert_eq!(outer.get(&b), &Value::int(5));
            assert_eq!(outer.get(&map(1, 2, 1)), &Value::int(0));
        }
    }

    #[test]
    fn equal_maps_are_equal_whatever_their_history() {
        let mut a = ArrayValue::new(Sort::Int, Value::int(0));
        let mut b = a.clone();
        for n in 0..1000 {
            a.set(Value::int(n), Value::int(n % 7));
            b.set(Value::int(999 - n), Value::int(3));
        }
        assert_ne!(a, b);
        for n in 0..1000 {
            b.set(Value::int(n), Value::int(n % 7));
        }
        assert_eq!(a, b);
        assert_eq!(hash_of(&a), hash_of(&b));
        assert_eq!(a.cmp(&b), Ordering::Equal);
        assert!(a.entries().is_sorted());
    }
}
