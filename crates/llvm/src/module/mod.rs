//! LLVM modules as plain data.
//!
//! [`read`] gives bitcode or textual IR to LLVM, links it, and copies what is there into a [`Module`]: types with
//! their layout, constants, functions, and what the debug information says about them. All unsafe code of the
//! crate is in this folder, and it ends here: a `Module` has no pointer into LLVM, whose context is private and
//! is gone when `read` returns.
//!
//! Random and truncated bytes are errors, and so is every mistake in textual IR; a module is verified before it is
//! looked at. But LLVM's reader of bitcode trusts what has the form of bitcode: bytes that were changed in the middle
//! can make it crash. Bitcode of unknown origin should be read by another process first, which then crashes instead.

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
