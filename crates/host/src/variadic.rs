//! Arguments of which a format tells the number and the types: those of the call itself, or a `va_list`.

use program::process::{Fault, Objects};

use crate::call::Call;

/// How wide an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An integer of this many bits, or a double.
    Word(u32),
    /// It takes two slots in memory, and begins at an even one.
    LongDouble,
}

/// How a call passes them: behind the format, or as a `va_list`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Passed {
    List,
    Area,
}

/// An argument that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub bits: u64,
    /// Which argument of the call it is.
    pub argument: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Variadic<'a> {
    /// The arguments of the call from `first` on.
    List { call: Call<'a>, first: usize, next: usize },
    /// The slots in memory that a `va_list` points to.
    Area { list: u64, first: u64, next: u64 },
}

/// Where a `va_list` of x86-64 keeps the address of the arguments in memory. Those in registers are
/// always used up: calls of our programs pass all of them in memory.
const OVERFLOW_AREA: u64 = 8;

impl<'a> Variadic<'a> {
    /// The arguments behind the format, which is this argument of the call.
    pub fn behind(
        call: Call<'a>,
        format: usize,
        passed: Passed,
        memory: &Objects,
    ) -> Result<Variadic<'a>, Fault> {
        let first = format + 1;
        Ok(match passed {
            Passed::List => Variadic::List { call, first, next: first },
            Passed::Area => {
                let list = call.word(first)?;
                let first = word(memory.defined_bytes(list.wrapping_add(OVERFLOW_AREA), 8)?);
                Variadic::Area { list, first, next: first }
            }
        })
    }

    pub fn next(&mut self, kind: Kind, memory: &Objects) -> Result<Taken, Fault> {
        match self {
            Variadic::List { call, next, .. } => {
                let index = *next;
                *next += 1;
                listed(call, index, kind)
            }
            Variadic::Area { next, .. } => {
                if kind == Kind::LongDouble {
                    *next = next.wrapping_add(15) & !15;
                }
                let address = *next;
                *next = next.wrapping_add(if kind == Kind::LongDouble { 16 } else { 8 });
                stored(address, kind, memory)
            }
        }
    }

    /// The argument that `n$` names, from 1.
    pub fn nth(&self, number: usize, kind: Kind, memory: &Objects) -> Result<Taken, Fault> {
        let index = number.saturating_sub(1);
        match self {
            Variadic::List { call, first, .. } => listed(call, first.saturating_add(index), kind),
            Variadic::Area { first, .. } => {
                stored(first.wrapping_add((index as u64).wrapping_mul(8)), kind, memory)
            }
        }
    }

    /// Leaves a `va_list` where the next function goes on.
    pub fn finish(&self, memory: &mut Objects) -> Result<(), Fault> {
        match self {
            Variadic::List { .. } => Ok(()),
            Variadic::Area { list, first, next } if first != next => {
                memory.write(list.wrapping_add(OVERFLOW_AREA), &next.to_le_bytes())
            }
            Variadic::Area { .. } => Ok(()),
        }
    }
}

fn listed(call: &Call<'_>, index: usize, kind: Kind) -> Result<Taken, Fault> {
    let width = if let Kind::Word(width) = kind { width } else { 64 };
    let bits = call.bits(index, width)? as u64;
    Ok(Taken { bits, argument: u32::try_from(index).ok() })
}

fn stored(address: u64, kind: Kind, memory: &Objects) -> Result<Taken, Fault> {
    let width = if let Kind::Word(width) = kind { width } else { 64 };
    let bits = word(memory.defined_bytes(address, u64::from(width / 8))?);
    Ok(Taken { bits, argument: None })
}

/// Up to eight bytes as a number.
pub(crate) fn word(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}
