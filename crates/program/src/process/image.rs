//! A program as compact code.

use rustc_hash::FxHashMap;
use term::{Op, Sort, Term};

use super::instruction::Instruction;
use super::objects::Objects;
use crate::program::FailureKind;

/// No edge.
pub(super) const NONE: u32 = u32::MAX;

/// A program compiled for [`Process`](super::Process). It does not need the program any more.
#[derive(Debug)]
pub struct Image {
    pub(super) code: Vec<Instruction>,
    /// What observers are told, and who is to blame, for each instruction.
    pub(super) notes: Vec<Note>,
    pub(super) procedures: Vec<ProcedureCode>,
    pub(super) calls: Vec<CallSite>,
    pub(super) generics: Vec<Generic>,
    pub(super) switches: Vec<Switch>,
    pub(super) externals: Vec<String>,
    /// How many slots the global variables have.
    pub(super) globals: u32,
    /// What the edges to the error location violate.
    pub(super) failures: FxHashMap<u32, FailureKind>,
    /// Memory before the start.
    pub(super) objects: Objects,
    /// Where the code of each location begins; [`NONE`] if no way leads there.
    pub(super) locations: Vec<u32>,
    /// Where the variables of the program are.
    pub(super) homes: FxHashMap<Term, Home>,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    /// In each activation of its procedure.
    Slot(u32),
    Global(u32),
}

/// Where a value is, and how many bits it has: beyond 64 of them in two slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub slot: u32,
    pub bits: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    /// The edge that begins with this instruction.
    pub start: u32,
    /// The edge that the instruction belongs to; for a decision, the first edge that is decided about.
    pub edge: u32,
    /// The edge that is taken with the branch.
    pub taken: u32,
    /// The edge that is taken if the branch is not.
    pub next: u32,
    /// What the edge assigns with this instruction; it has no bits if there is nothing.
    pub value: Part,
}

#[derive(Clone, Debug)]
pub(super) struct ProcedureCode {
    pub entry: u32,
    /// How many slots an activation has.
    pub size: u32,
    pub parameters: Box<[Part]>,
    pub results: Box<[Part]>,
}

/// A call of whatever kind.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    pub edge: u32,
    /// The number of the procedure or external function, or the slot of the pointer.
    pub callee: u32,
    pub arguments: Box<[Part]>,
    pub results: Box<[Part]>,
    /// The bits of the results, as the world is told.
    pub widths: Box<[u32]>,
}

#[derive(Clone, Debug)]
pub(super) struct Generic {
    pub op: Op,
    pub sort: Sort,
    pub arguments: Box<[(Sort, u32)]>,
    pub to: u32,
}

/// Where a switch leads for a value; else to the next instruction.
#[derive(Clone, Debug, Default)]
pub(super) struct Switch {
    pub low: u64,
    /// For `low` and the values that follow it: target and edge; the target is [`NONE`] for a gap.
    pub dense: Vec<(u32, u32)>,
    /// Sorted by value, if the values are far apart.
    pub sparse: Vec<(u64, u32, u32)>,
}

impl Switch {
    pub fn find(&self, value: u64) -> Option<(u32, u32)> {
        if self.sparse.is_empty() {
            let index = usize::try_from(value.wrapping_sub(self.low)).ok()?;
            return self.dense.get(index).copied().filter(|&(target, _)| target != NONE);
        }
        let index = self.sparse.binary_search_by_key(&value, |&(key, ..)| key).ok()?;
        self.sparse.get(index).map(|&(_, target, edge)| (target, edge))
    }
}

/// How many bits a value of the sort has; None for sorts without machine words.
pub(super) fn bits(sort: &Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(*width),
        Sort::Float(format) => Some(format.width()),
        Sort::Int | Sort::Real | Sort::Array(_) => None,
    }
}
