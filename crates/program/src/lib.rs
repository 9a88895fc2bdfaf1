//! Programs: control-flow automata with source spans, their verifier, their interpreter, and
//! analyses of their graphs.
//!
//! Front ends make a [`Program`] with a [`Builder`]; everything else reads it. The [`interpret`]er is
//! the meaning of a program: whatever is said about one symbolically can be checked by running it.

mod build;
mod bytes;
pub mod graph;
pub mod interpret;
pub mod process;
mod program;
mod same;
mod source;
mod stop;
pub mod syntax;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod types;
mod verify;

pub use build::Builder;
pub use program::{
    Edge, EdgeId, External, ExternalId, FailureKind, Gap, Language, LocalObject, Location,
    LocationId, Memory, Place, Procedure, ProcedureId, Program, Property, Scope, Site, SiteId,
    Statement, Static, StaticId, Target, Trust, Variable, VariableRole,
};
pub use same::difference;
pub use source::{FileId, Origin, Position, SourceFile, Span};
pub use stop::{Lack, Stop, Work};
pub use types::{Aggregate, Member, Type, TypeId, size_of};
pub use verify::{Malformed, verify};
