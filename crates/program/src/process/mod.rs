//! Running programs with memory: machine words, objects in memory, a world around the program.
//!
//! An [`Image`] is a program compiled to compact code for machine words; a [`Process`] is a running
//! one. Whatever a program asks of the world (input, output, heap, time) goes through a [`Host`]. What a
//! process does is seen by an [`Observer`], which can record it or change it.

// A fault is made once in a run, and then the run is over.
#![allow(clippy::result_large_err, clippy::large_enum_variant)]

mod calls;
mod compile;
mod cover;
mod execute;
mod float;
mod follow;
mod generic;
mod image;
mod instruction;
mod machine;
mod objects;
mod observe;
mod record;
mod shadow;
#[cfg(test)]
mod tests;

pub use cover::Coverage;
pub use follow::Follower;
pub use image::Image;
pub use machine::{Limits, Process};
pub use objects::Objects;
pub use observe::{Effect, Event, Nothing, Observer};
pub use record::{Log, LogReader, Recorder};

use crate::program::{EdgeId, ExternalId, FailureKind, StaticId};

/// Where the addresses of procedures begin; they are 16 apart.
pub const PROCEDURES: u64 = 0x0010_0000;
/// Where the addresses of external functions begin; they are 16 apart.
pub const EXTERNALS: u64 = 0x4000_0000;

/// The address of an object that exists from the beginning.
///
/// Bits 32 to 54 of an address are the number of an object, above them are 8 bits that tell apart the
/// objects that have had this number. So a pointer knows its object, however far it is moved.
pub fn static_address(id: StaticId) -> u64 {
    (u64::from(id.0) + 1) << 32 | 0x1000_0000 | u64::from(id.0 & 0xfff) << 12
}

/// A value of up to 128 bits on its way to or from the world or an observer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scalar {
    pub bits: u128,
    /// The bits that come from bytes that were never written.
    pub undefined: u128,
}

impl Scalar {
    pub fn new(bits: u128) -> Scalar {
        Scalar { bits, undefined: 0 }
    }
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The entry procedure returned, or the program exited.
    Finished {
        status: i32,
    },
    Failed {
        edge: EdgeId,
        fault: Fault,
    },
    /// No edge was possible, the world refused to go on, or an observer did, at this edge.
    Blocked {
        edge: EdgeId,
    },
    StepLimit {
        edge: EdgeId,
    },
    Stopped,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FailureKind,
    pub detail: Detail,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    None,
    /// One sentence.
    Text(String),
    /// An access to memory, or a free.
    Access {
        access: Access,
        address: u64,
        size: u64,
        object: Option<ObjectFacts>,
    },
    /// The output is not the expected one.
    Output(WrongOutput),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    Free,
}

/// What the message about a bad access says about the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectFacts {
    pub origin: Origin,
    /// Its number in the order of creation of all objects of its kind, from 0.
    pub serial: u64,
    pub address: u64,
    pub size: u64,
    /// The edge that ended its life.
    pub ended: Option<EdgeId>,
}

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    Static(StaticId),
    /// Made by this [`crate::Memory::Alloc`].
    Local(EdgeId),
    /// Made by the world, on behalf of this call.
    Heap(EdgeId),
    /// Made by the world before the program started: arguments, environment.
    Start,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongOutput {
    /// The argument of the call that printed the first wrong value, if the format tells.
    pub argument: Option<u32>,
    /// The value that would have been right.
    pub expected: Option<Scalar>,
    /// All values of it that would have been right, if they are known.
    pub right: Option<Right>,
    /// If the argument points to a text: which byte of it is wrong, and what would have been right.
    pub byte: Option<(u64, u8)>,
    /// Of arguments that were printed before, and were right: which other values would be, too.
    pub earlier: Vec<(u32, Right)>,
    /// Arguments that do not matter: the output is wrong whichever numbers they are.
    pub indifferent: Vec<u32>,
    /// Where in the whole output the first wrong byte is.
    pub position: u64,
    pub expected_text: String,
    pub actual_text: String,
    /// The line of the output, from 1.
    pub line: u64,
}

/// Which values of an argument would be right where it is printed. If nothing is said about an argument, none but its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Right {
    /// All that are printed like its own.
    Alike(Alike),
    /// These, and which of them it is, if it is one. They are not printed alike: what is printed next may complete them.
    OneOf(Vec<Alike>, Option<u32>),
    /// It is not known: only a run tells.
    Unknown,
}

/// Values that are printed the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alike {
    /// Those with the same lowest bits, so many.
    Bits(Scalar, u32),
    /// This floating-point number, and those from the second to the third.
    Range(Scalar, Scalar, Scalar),
}

/// A call of an external function.
#[derive(Clone, Copy, Debug)]
pub struct ExternalCall<'a> {
    pub function: ExternalId,
    pub name: &'a str,
    pub arguments: &'a [Scalar],
    /// How many bits each result has.
    pub results: &'a [u32],
    pub edge: EdgeId,
}

/// What the world does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// The call returns these results.
    Return { results: Vec<Scalar>, nature: Nature },
    /// The program ends.
    Exit(i32),
    /// The execution is of no interest (`__VERIFIER_assume(0)`).
    Block,
}

/// What kind of values the results of an external call, and the bytes it writes, are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// They come from outside: any value is possible.
    Input,
    /// They are computed from the arguments, in a way that only the world knows.
    Opaque,
    /// They do not depend on values of the program: addresses of new objects, success.
    Fixed,
}

/// Everything around the program.
pub trait Host {
    fn call(&mut self, call: ExternalCall<'_>, memory: &mut Objects) -> Result<Response, Fault>;

    /// Whether a function gives values that are left open, in the order in which they are asked for.
    fn asks(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// From now on, whatever is printed is taken for what was expected; or no longer.
    fn accept_output(&mut self, whatever: bool) {
        let _ = whatever;
    }

    /// Whether the end of the program, with this status, is as it should be.
    fn finish(&mut self, status: i32) -> Result<(), Fault> {
        let _ = status;
        Ok(())
    }
}
