//! Boogie, the language of `.bpl` files: text to syntax tree ([`parse`]), and the
//! meaning of its names and the types of its expressions ([`check`](check::check)).

pub mod ast;
pub mod builtin;
pub mod check;
pub mod error;
mod lexer;
mod number;
pub mod parser;
pub mod types;

#[cfg(test)]
mod tests;

pub use ast::{Ast, Span};
pub use check::{Checked, check};
pub use error::{Error, ErrorKind};
pub use parser::parse;
