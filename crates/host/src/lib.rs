//! The world of a C program: streams, files, heap, arguments, time; printf and scanf.
//!
//! A [`World`] is made from a [`Setup`] and answers the calls that a program makes of functions without a body. It
//! does no input or output itself: what comes in is in the set-up, what goes out stays in memory, files are
//! read through [`Files`]. So a run can be repeated, and a world can be cloned in the middle of one.
//!
//! Functions are tables of names and Rust functions, one for each part of the library (`heap`, `stdio`, …). The
//! functions that need nothing from outside are written in C, in the library that the front end links.

// Faults are rare, and there is at most one in a run: their size does not matter.
#![allow(clippy::result_large_err)]

mod call;
mod compare;
mod decimal;
mod expect;
mod files;
mod heap;
mod inputs;
mod math;
mod printf;
mod process;
mod right;
mod scanf;
mod stdio;
mod stream;
#[cfg(test)]
mod tests;
mod variadic;
mod world;

pub use compare::Compare;
pub use files::{Files, NoFiles, Refused};
pub use inputs::Asked;
pub use stream::Reading;
pub use world::{Setup, World};
