//! Programs: control-flow automata with source spans, their verifier, their interpreter, and
//! analyses of their graphs.
//!
//! Front ends make a [`Program`] with a [`Builder`]; everything else reads it. The [`interpret`]er is
//! the meaning of a program: whatever is said about one symbolically can be checked by running it.

mod build;
pub mod graph;
pub mod interpret;
mod program;
mod same;
mod source;
mod stop;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod verify;

pub use build::Builder;
pub use program::{
    Edge, EdgeId, FailureKind, Gap, Language, Location, LocationId, Place, Procedure, ProcedureId,
    Program, Property, Scope, Site, SiteId, Statement, Trust, Variable,
};
pub use same::difference;
pub use source::{FileId, Position, SourceFile, Span};
pub use stop::Stop;
pub use verify::{Malformed, verify};
