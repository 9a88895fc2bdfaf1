//! Tests of the builder, the verifier, the interpreter and the comparison of programs.

mod build;
mod interpret;
mod same;
mod verify;
