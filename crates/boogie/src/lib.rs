//! Boogie, the language of `.bpl` files, which is also the text form of our programs.
//!
//! [`read`] goes from text to syntax tree ([`parse`]), finds the meaning of names and the types of
//! expressions ([`check`](check::check)), and makes a [`Program`] of it. [`write`] goes back: reading
//! what it wrote gives the same program.

pub mod ast;
pub mod builtin;
pub mod check;
pub mod error;
mod lexer;
mod lower;
mod number;
pub mod parser;
pub mod syntax;
pub mod types;
mod write;

#[cfg(test)]
mod tests;

pub use ast::{Ast, Span};
pub use check::{Checked, check};
pub use error::{Error, ErrorKind};
pub use parser::parse;
pub use write::write;

use program::Program;

/// The program that a text means; `name` is that of its file.
pub fn read(name: &str, text: &str) -> Result<Program, Vec<Error>> {
    let ast = parse(text)?;
    let checked = check(&ast)?;
    lower::lower(name, text, &ast, &checked).map_err(|error| vec![error])
}
