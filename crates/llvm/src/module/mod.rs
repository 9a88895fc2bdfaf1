//! LLVM modules as plain data.
//!
//! [`read`] gives bitcode or textual IR to LLVM, links it, and copies what is there into a [`Module`]: types with
//! their layout, constants, functions, and what the debug information says about them. All unsafe code of the
//! crate is in this folder, and it ends here: a `Module` has no pointer into LLVM, whose context is private and
//! is gone when `read` returns.
//!
//! Random and truncated bytes are errors. LLVM has checks in its reader of bitcode for what a writer can get
//! wrong, and the module is verified before it is looked at. The reader is not proof against bitcode that was
//! damaged on purpose: it may abort. Textual IR is.

mod constants;
mod context;
mod data;
mod debug;
mod instructions;
mod reader;
mod types;

pub use context::{Input, ReadError, read};
pub use data::*;

#[cfg(test)]
mod tests;
