//! C, through clang and LLVM.
//!
//! clang makes bitcode of a source ([`compile`]). LLVM reads it, links it with the small C library ([`library`]), and
//! it becomes plain data ([`module`]), then a program ([`lower`]). LLVM knows where in the source an instruction
//! starts, but not where the expression that it computes ends; a parse of the source does ([`extents`]),
//! which is also what edits of the text are made from ([`syntax`]).

pub mod compile;
pub mod extents;
pub mod library;
pub mod lines;
pub mod lower;
pub mod module;
pub mod syntax;
