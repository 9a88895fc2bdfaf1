//! Operations without an instruction of their own: [`Op::apply`](term::Op::apply) on values. That is
//! slow, and right by definition.

use term::{BitVec, Float, Sort, Value};

use super::image::Generic;

/// Reads and writes the slots of an activation.
pub(super) fn apply(generic: &Generic, frame: &mut [u64]) {
    let values: Vec<Value> =
        generic.arguments.iter().map(|(sort, slot)| read(sort, *slot, frame)).collect();
    let values: Vec<&Value> = values.iter().collect();
    let bits = match generic.op.apply(&generic.sort, &values) {
        Value::Bool(value) => u128::from(value),
        Value::BitVec(value) => value.unsigned(),
        Value::Float(value) => u128::from(value.bits()),
        Value::Int(_) | Value::Real(_) | Value::Array(_) => 0,
    };
    write(&generic.sort, generic.to, bits, frame);
}

fn read(sort: &Sort, slot: u32, words: &[u64]) -> Value {
    let bits = read_bits(sort, slot, words);
    match sort {
        Sort::Bool => Value::Bool(bits != 0),
        Sort::Float(format) => Value::Float(Float::new(*format, bits as u64)),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, bits)),
        Sort::Int | Sort::Real | Sort::Array(_) => Value::zero(sort),
    }
}

/// The bits of a value, or their shadow.
pub(super) fn read_bits(sort: &Sort, slot: u32, words: &[u64]) -> u128 {
    let word = |n: u32| words.get((slot + n) as usize).map_or(0, |&word| u128::from(word));
    match sort {
        Sort::BitVec(65..) => word(0) | word(1) << 64,
        _ => word(0),
    }
}

pub(super) fn write(sort: &Sort, slot: u32, bits: u128, words: &mut [u64]) {
    if let Some(word) = words.get_mut(slot as usize) {
        *word = bits as u64;
    }
    if matches!(sort, Sort::BitVec(65..))
        && let Some(word) = words.get_mut(slot as usize + 1)
    {
        *word = (bits >> 64) as u64;
    }
}
