//! Who watches a process, and the record of what it did.

use super::{Nature, Scalar};
use crate::program::{EdgeId, ExternalId, ProcedureId};

/// Sees what a process does, in order. Every edge is announced by [`step`](Observer::step) before its
/// effects. Then follow, for
///
/// - `Assign`, `Havoc`: the value;
/// - `Call`: the value of each argument;
/// - `CallPointer`: the procedure, then the value of each argument (as many as it has parameters); or
///   the external function, then as for `External`;
/// - `Return`: the value of each result (as many as the call has);
/// - `Load`: the access, then the value;
/// - `Store`, `Initialise`: the value, then the access;
/// - `Alloc`, `Mark`: the value (the address);
/// - `Copy`: the access to the source, then to the target; `Fill`: the access to the target;
/// - `External`: the effects (each write, new object, freed object), then the nature, then the value
///   of each result.
pub trait Observer {
    /// Whether it sees anything at all: if not, nothing is prepared for it.
    const ACTIVE: bool;

    /// An edge is about to be taken; false stops the process.
    #[inline]
    fn step(&mut self, edge: EdgeId) -> bool {
        let _ = edge;
        true
    }
    /// A value is about to be assigned; what is returned is assigned instead.
    #[inline]
    fn value(&mut self, value: Scalar, bits: u32) -> Scalar {
        let _ = bits;
        value
    }
    /// An area of an object is about to be read or written; false stops the process.
    #[inline]
    fn access(&mut self, address: u64, size: u64) -> bool {
        let _ = (address, size);
        true
    }
    /// A procedure is about to be called through a pointer; false stops the process.
    fn procedure(&mut self, procedure: ProcedureId) -> bool {
        let _ = procedure;
        true
    }
    /// An external function is about to be called through a pointer; false stops the process.
    fn external(&mut self, function: ExternalId) -> bool {
        let _ = function;
        true
    }
    fn effect(&mut self, effect: &Effect) {
        let _ = effect;
    }
    fn nature(&mut self, nature: Nature) {
        let _ = nature;
    }
}

/// What an observer was told, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Step(EdgeId),
    Value(Scalar),
    Access { address: u64, size: u64 },
    Procedure(ProcedureId),
    Effect(Effect),
    Nature(Nature),
}

/// What an external call did to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It read these bytes; its results depend on them.
    Read {
        address: u64,
        bytes: Vec<u8>,
    },
    Write {
        address: u64,
        bytes: Vec<u8>,
    },
    New {
        address: u64,
        size: u64,
    },
    Freed {
        address: u64,
    },
}

/// Nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Observer for Nothing {
    const ACTIVE: bool = false;
}
